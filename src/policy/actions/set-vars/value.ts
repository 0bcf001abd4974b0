/**
 * A value of set-vars: JSON, prepared once, whose texts may be expressions. Used by `set-vars.ts`.
 */
import {
	EvaluationFailure,
	isSuspension,
	type Phase,
	type Settled,
	type Suspension,
	type ValueTemplate,
} from "../../../cel/expression.ts";
import { mapFromStrings } from "../../../cel/values/entry-map.ts";
import type { Value } from "../../../cel/values/value.ts";
import type { JsonValue, PolicyExchange } from "../../exchange.ts";
import type { Compiler } from "../../programs/compiler.ts";
import type { FieldProblem } from "../../programs/problem.ts";

export type VariableValue =
	| { readonly kind: "fixed"; readonly value: Value }
	| { readonly kind: "text"; readonly text: ValueTemplate }
	| { readonly kind: "list"; readonly elements: readonly VariableValue[] }
	| {
			readonly kind: "map";
			readonly entries: readonly (readonly [name: string, value: VariableValue])[];
	  };

interface Preparing {
	readonly phase: Phase;
	readonly compiler: Compiler;
	readonly problems: FieldProblem[];
}

/** Whole numbers are ints, others doubles. */
export function preparedValue(
	json: JsonValue,
	path: readonly PropertyKey[],
	preparing: Preparing,
): VariableValue {
	if (typeof json === "string") return preparedText(json, path, preparing);
	if (typeof json === "number" && Number.isSafeInteger(json)) return fixed(BigInt(json));
	if (json === null || typeof json !== "object") return fixed(json);
	if (isJsonList(json)) {
		const elements = json.map((element, at) => preparedValue(element, [...path, at], preparing));
		const values = elements.flatMap((each) => (each.kind === "fixed" ? [each.value] : []));
		return values.length === elements.length ? fixed(values) : { kind: "list", elements };
	}
	const entries = Object.entries(json).map(
		([name, value]) => [name, preparedValue(value, [...path, name], preparing)] as const,
	);
	const values = new Map<string, Value>();
	for (const [name, each] of entries) if (each.kind === "fixed") values.set(name, each.value);
	return values.size === entries.length ? fixed(mapFromStrings(values)) : { kind: "map", entries };
}

const fixed = (value: Value): VariableValue => ({ kind: "fixed", value });

const isJsonList = (json: JsonValue): json is readonly JsonValue[] => Array.isArray(json);

function preparedText(
	source: string,
	path: readonly PropertyKey[],
	{ phase, compiler, problems }: Preparing,
): VariableValue {
	const text = compiler.valueField(source, phase, path);
	if (!text.ok) problems.push(...text.error);
	if (!text.ok) return fixed("");
	const { literal } = text.value;
	return literal === undefined ? { kind: "text", text: text.value } : fixed(literal);
}

/** As signatures write it; dyn where an expression decides. */
export function typeOfValue(json: JsonValue, { kind }: VariableValue): string {
	if (typeof json === "string") return WHOLE.test(json) && kind === "text" ? "dyn" : "string";
	if (typeof json === "boolean") return "bool";
	if (typeof json === "number") return Number.isSafeInteger(json) ? "int" : "double";
	if (json === null) return "dyn";
	return Array.isArray(json) ? "list<dyn>" : "map<string, dyn>";
}

/** begins and ends like one expression; a text of two is taken for one, which is then dyn */
const WHOLE = /^\$\{.*\}$/s;

/** Hot. */
export function evaluated(
	value: VariableValue,
	exchange: PolicyExchange,
	settled: Settled | undefined,
): Value | EvaluationFailure | Suspension {
	switch (value.kind) {
		case "fixed":
			return value.value;
		case "text":
			return value.text.evaluate(exchange, settled);
		case "list": {
			const elements: Value[] = [];
			for (const each of value.elements) {
				const element = evaluated(each, exchange, settled);
				if (element instanceof EvaluationFailure || isSuspension(element)) return element;
				elements.push(element);
			}
			return elements;
		}
		case "map": {
			const entries = new Map<string, Value>();
			for (const [name, each] of value.entries) {
				const entry = evaluated(each, exchange, settled);
				if (entry instanceof EvaluationFailure || isSuspension(entry)) return entry;
				entries.set(name, entry);
			}
			return mapFromStrings(entries);
		}
	}
}
