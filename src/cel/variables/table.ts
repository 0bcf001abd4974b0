/**
 * All variables that an expression may name (contract 4, "Variables"). A new variable is one row in a file of
 * this folder, and the member of `Attributes` that it reads if there is none yet. Read by the checker, lowering, the
 * estimate of costs, copies for threads, guards and docs/expressions.md.
 */
import { CONNECTION } from "./connection.ts";
import type { Derive, ReadPath, VariableDefinition } from "./definition.ts";
import { REQUEST } from "./request.ts";
import { REQUEST_HEADERS } from "./request-headers.ts";
import { REQUEST_URL } from "./request-url.ts";
import { RESPONSE } from "./response.ts";
import { RESULTS } from "./results.ts";
import { SURROUNDINGS } from "./surroundings.ts";

/** In the order in which messages and docs name them. */
const ROWS = [
	...REQUEST,
	...REQUEST_URL,
	...REQUEST_HEADERS,
	...CONNECTION,
	...RESPONSE,
	...SURROUNDINGS,
	...RESULTS,
];

/** The names of variables: code that is about one of them and misspells it does not compile. */
export type VariableName = (typeof ROWS)[number]["name"];

export const VARIABLE_TABLE: readonly VariableDefinition[] = ROWS;

/** What reading a variable takes of the attributes. */
export const pathsOf = ({ read }: VariableDefinition): readonly ReadPath[] =>
	"attribute" in read ? [read.attribute] : read.paths;

/** What may differ between two readings within a phase. */
export const CHANGING_PATHS: ReadonlySet<string> = new Set(
	VARIABLE_TABLE.filter(({ changes }) => changes).flatMap(pathsOf),
);

/** The name by which lowered code calls the function that makes a variable. */
export const deriveName = (variable: string): DeriveName => `read_${variable.replaceAll(".", "_")}`;

export type DeriveName = `read_${string}`;

/** The functions that make variables, by those names. */
export const DERIVE_FUNCTIONS: Readonly<Record<DeriveName, Derive>> = Object.fromEntries(
	VARIABLE_TABLE.flatMap(({ name, read }) =>
		"derive" in read ? [[deriveName(name), read.derive] as const] : [],
	),
);
