/** Calls that the table of declarations allows, as patterns for generated expressions. */
import { DECLARATIONS } from "../../src/cel/check/declarations.ts";
import type { Overload } from "../../src/cel/check/signatures.ts";
import { resolve, type Type, typeName } from "../../src/cel/check/types.ts";
import { grouped } from "./generator-random.ts";
import type { Term } from "./generator-term.ts";

export interface Call {
	readonly name: string;
	readonly signature: string;
	readonly result: string;
	readonly parameters: readonly string[];
	readonly write: Term["write"];
}

const OPERATOR = /^_(\W+)_$/;

function writer(name: string, { isMethod }: Overload): Call["write"] {
	const operator = OPERATOR.exec(name)?.[1];
	if (name === "_?_:_") return ([a, b, c]) => `((${a}) ? (${b}) : (${c}))`;
	if (name === "_[_]") return ([a, b]) => `(${a})[${b}]`;
	if (name === "@in") return ([a, b]) => `((${a}) in (${b}))`;
	if (name === "!_" || name === "-_") return ([a]) => `${name[0]}(${a})`;
	if (operator !== undefined) return ([a, b]) => `((${a}) ${operator} (${b}))`;
	if (isMethod) return ([target, ...rest]) => `(${target}).${name}(${rest.join(", ")})`;
	return (args) => `${name}(${args.join(", ")})`;
}

/** What a type parameter stands for in a generated call. */
const PARAMETER_TYPES = [
	"int",
	"string",
	"bool",
	"double",
	"uint",
	"list<int>",
	"map<string, int>",
	"optional<string>",
	"timestamp",
	"dyn",
];

/** Written by `generator.ts` in their own ways, or by nobody. */
const NO_CALL = /@(?!in$)|^(?:_\?\._|_\[\?_\]|rand\.)/;

/** Each overload, once for each type that its parameters may stand for. */
export const CALLS: readonly Call[] = [...DECLARATIONS]
	.filter(([name]) => !NO_CALL.test(name))
	.flatMap(([name, overloads]) =>
		overloads.flatMap((overload) =>
			(isGeneric(overload) ? PARAMETER_TYPES : ["int"]).map((stand) => ({
				name,
				signature: overload.signature,
				result: nameWith(overload.result, stand),
				parameters: overload.parameters.map((type) => nameWith(type, stand)),
				write: writer(name, overload),
			})),
		),
	)
	// what may not be a key
	.filter(
		({ parameters, result }) =>
			![...parameters, result].some((type) =>
				/map<(?:list|map|dyn|double|optional|timestamp)/.test(type),
			),
	);

function isGeneric({ signature }: Overload): boolean {
	return /\b[A-Z]\b/.test(signature);
}

function nameWith(type: Type, stand: string): string {
	const known = resolve(type);
	switch (known.kind) {
		case "variable":
			return stand;
		case "list":
			return `list<${nameWith(known.element, stand)}>`;
		case "map":
			return `map<${nameWith(known.key, stand)}, ${nameWith(known.value, stand)}>`;
		case "optional":
			return `optional<${nameWith(known.element, stand)}>`;
		default:
			return typeName(known);
	}
}

/** By the type that they yield. */
export const CALLS_BY_RESULT: ReadonlyMap<string, readonly Call[]> = grouped(
	CALLS,
	({ result }) => result,
);
