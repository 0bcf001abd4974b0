/**
 * What the actions of a policy have left for expressions: `actions.<name>.<field>` and `vars.<name>` (contract 4).
 * Actions write it (`policy/actions/results.ts`), the rows of `variables/results.ts` read it. Each change makes new
 * maps, so a value that an expression has seen stays as it was.
 */
import { EvaluationFailure } from "../expression.ts";
import { type EntryMap, mapFromStrings } from "./entry-map.ts";
import { type Value, ValueMap } from "./value.ts";

/** Published documents write `actions.ngrok.<name>`. */
export const ALIAS = "ngrok";

/** Results by the action's name, `-` written as `_`. One that has not run looks empty to `has()`, and fails a read. */
export class ActionResults extends ValueMap {
	readonly #ran: ReadonlyMap<string, Value>;

	constructor(ran: ReadonlyMap<string, Value>) {
		super();
		this.#ran = ran;
	}

	get size(): number {
		return this.#ran.size;
	}
	get(key: Value): Value | undefined {
		if (typeof key !== "string") return undefined;
		return this.#ran.get(key) ?? (key === ALIAS ? this : new NotRun(key));
	}
	has(key: Value): boolean {
		return typeof key === "string" && (key === ALIAS || this.#ran.has(key));
	}
	keys(): readonly Value[] {
		return [...this.#ran.keys()];
	}
}

/** In the place of the results of an action that has not run. */
class NotRun extends ValueMap {
	readonly size = 0;
	readonly #action: string;

	constructor(action: string) {
		super();
		this.#action = action;
	}

	/** @throws EvaluationFailure */
	get(_key: Value): never {
		throw new EvaluationFailure(
			`actions.${this.#action.slice(0, 100)} says nothing: no such action has run for this request`,
		);
	}
	has(_key: Value): boolean {
		return false;
	}
	keys(): readonly Value[] {
		return [];
	}
}

export const NOTHING_RAN = new ActionResults(new Map());
export const NOTHING_SET: EntryMap = mapFromStrings(new Map());

/** How far a set-vars has come that waits for an expensive expression. */
interface Progress {
	readonly of: object;
	/** index of the variable that comes next */
	readonly next: number;
	/** what there was before it began, should it fail */
	readonly before: Results | undefined;
}

/** Room in an exchange, made by the first action whose results an expression reads. */
export class Results {
	#ran: ReadonlyMap<string, Value> = new Map();
	#set: ReadonlyMap<string, Value> = new Map();
	#bytes: ReadonlyMap<string, number> = new Map();
	#actions: ActionResults | undefined;
	#vars: EntryMap | undefined;
	progress: Progress | undefined;

	get actions(): ActionResults {
		this.#actions ??= new ActionResults(this.#ran);
		return this.#actions;
	}
	get vars(): EntryMap {
		this.#vars ??= mapFromStrings(this.#set);
		return this.#vars;
	}

	/** The last run counts. @param name as expressions write it */
	ran(name: string, fields: ReadonlyMap<string, Value>): void {
		this.#ran = new Map(this.#ran).set(name, mapFromStrings(fields));
		this.#actions = undefined;
	}

	/**
	 * @param name of the variable, without `vars.`
	 * @param bytes that the value takes
	 */
	assign(name: string, value: Value, bytes: number): void {
		this.#set = new Map(this.#set).set(name, value);
		this.#bytes = new Map(this.#bytes).set(name, bytes);
		this.#vars = undefined;
	}

	/** of all variables but `name` */
	bytesBeside(name: string): number {
		let bytes = 0;
		for (const [each, own] of this.#bytes) if (each !== name) bytes += own + each.length;
		return bytes;
	}

	/** What is changed in the copy leaves this one as it is. */
	copy(): Results {
		const copy = new Results();
		copy.#ran = this.#ran;
		copy.#set = this.#set;
		copy.#bytes = this.#bytes;
		return copy;
	}
}
