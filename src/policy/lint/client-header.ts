/**
 * What of a client's header fields the value of an expression carries, by which any client could change a key (contract 3).
 * Called by `expression.ts` for expressions whose value is kept as it is, such as elements of a rate-limit's key.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { Node } from "../../cel/tree/node.ts";
import { childrenOf, variableOf } from "../../cel/tree/parts.ts";
import type { VariableName } from "../../cel/variables/table.ts";
import { lookUpOf } from "./look-up.ts";

/** Variables that hold a field, or all of them. */
const FIELDS: ReadonlySet<string> = new Set<VariableName>([
	"req.headers",
	"req.cookies",
	"req.content_encoding",
	"req.location",
	"req.user_agent",
	"req.user_agent.raw",
	"req.content_type",
	"req.content_type.raw",
	"req.content_type.parameters",
]);
const NOUNS: ReadonlyMap<string, string> = new Map<VariableName, string>([
	["req.headers", "header"],
	["req.cookies", "cookie"],
]);

/** @param node of a checked tree @returns `the header "x"` or the variable's name; undefined if there is none, or only a yes or no */
export function clientHeaderIn(node: Node): string | undefined {
	if (node.type.kind === "bool") return undefined;
	const lookUp = lookUpOf(node);
	if (lookUp?.name !== undefined) return named(NOUNS.get(lookUp.variable), lookUp.name);
	const variable = variableOf(node);
	if (variable !== undefined) return FIELDS.has(variable) ? variable : undefined;
	for (const child of carriers(node)) {
		const found = clientHeaderIn(child);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** `host` chooses the route, so a client can't change it freely. */
function named(noun: string | undefined, name: string): string | undefined {
	const isHost = noun === "header" && asciiLowerCase(name) === "host";
	if (noun === undefined || isHost) return undefined;
	return `the ${noun} "${noun === "header" ? asciiLowerCase(name) : name}"`;
}

/** What decides between two values is in neither of them. */
const carriers = (node: Node): readonly Node[] =>
	node.kind === "conditional" ? [node.whenTrue, node.whenFalse] : childrenOf(node);
