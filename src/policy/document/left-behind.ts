/**
 * What the rules of a document leave for the texts behind them, told while `validate.ts` walks through the document:
 * results of actions, and variables with their types. A text that reads what nothing before it can have left is
 * refused with these sentences.
 */
import type { Declared, Shape } from "../../cel/check/declared.ts";
import { ALIAS } from "../../cel/values/results.ts";
import { quoted, suggestion } from "../../documents/nearest.ts";
import { resultName } from "../actions/results.ts";
import { type ActionType, actionOf, EVERY_TYPE } from "../actions/table.ts";

export class LeftBehind {
	readonly #ran = new Map<string, Shape>();
	/** types by name; dyn where several types meet, or none is known */
	readonly #vars = new Map<string, string>();
	#declared: Declared | undefined;

	/** For the text that comes next. */
	get declared(): Declared {
		this.#declared ??= this.#declare();
		return this.#declared;
	}

	ran(type: ActionType): void {
		const name = resultName(type);
		if (this.#ran.has(name)) return;
		this.#ran.set(name, shapeOf(type));
		this.#declared = undefined;
	}

	/** @param type as signatures write it */
	assigned(name: string, type: string): void {
		const known = this.#vars.get(name);
		if (known === type || known === "dyn") return;
		this.#vars.set(name, known === undefined ? type : "dyn");
		this.#declared = undefined;
	}

	#declare(): Declared {
		const results = new Map(this.#ran);
		const actions: Shape = { fields: results, absent: neverRan };
		const vars = new Map(this.#vars);
		return {
			actions: { fields: new Map([...results, [ALIAS, actions]]), absent: neverRan },
			vars: { fields: vars, absent: (name) => neverSet(name, [...vars.keys()]) },
		};
	}
}

function shapeOf(type: ActionType): Shape {
	const fields = Object.entries(actionOf(type).results);
	const names = fields.map(([name]) => name);
	const has = names.length === 0 ? "it leaves nothing" : `it leaves ${names.join(", ")}`;
	return {
		fields: new Map(fields.map(([name, { type }]) => [name, type])),
		absent: (field) => {
			const meant = suggestion(field, names);
			return `${type} leaves no ${quoted(field)}${meant === "" ? `; ${has}` : meant}`;
		},
	};
}

function neverRan(name: string): string {
	const type = EVERY_TYPE.find((each) => resultName(each) === name);
	const names = EVERY_TYPE.filter((each) => Object.keys(actionOf(each).results).length > 0);
	const valid = names.map(resultName);
	const these = `these leave results: ${valid.join(", ")}`;
	if (type !== undefined && !names.includes(type)) return `${type} leaves nothing; ${these}`;
	if (type !== undefined) {
		return `no action before this place runs ${type}, so actions.${name} is never there; put a rule with ${type} before it`;
	}
	const meant = suggestion(name, valid);
	const rest = meant === "" ? `; ${these}` : meant;
	return `there is no action ${quoted(name)}${rest}`;
}

function neverSet(name: string, known: readonly string[]): string {
	const meant = suggestion(name, known);
	const rest = meant === "" ? "; put a set-vars before it" : meant;
	return `nothing before this place sets vars.${name}${rest}`;
}
