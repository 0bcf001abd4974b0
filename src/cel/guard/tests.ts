/**
 * What an expression asks of a request, as far as comparing texts and addresses tells it: a tree that whoever knows
 * method, host, path, query, single header lines and the client's address can decide without evaluating anything. What
 * else there is in it stays unknown. Made of checked trees by `testOf`, which `compile.ts` calls for refusals that the
 * front is to make by itself (native/README.md, "Standing refusals").
 */
import { LIMITS } from "../../limits/limits.ts";
import { headerReadOf } from "../lower/header-reads.ts";
import type { BinaryNode, CallNode, Node, QuantifierNode } from "../tree/node.ts";
import { textLiteral, variableOf } from "../tree/parts.ts";
import { addressesIn, rangesIn } from "./address-tests.ts";
import { literalsOf } from "./literal-pattern.ts";
import type { Comparison, Subject, Test } from "./test-tree.ts";

const UNKNOWN: Test = { kind: "unknown" };
const constant = (value: boolean): Test => ({ kind: "constant", value });

/** Variables that are texts of a request, by name. */
const SUBJECTS: ReadonlyMap<string, Pick<Subject, "kind" | "name">> = new Map([
	["req.method", { kind: "method", name: "" }],
	["req.host", { kind: "host", name: "" }],
	["req.url.host", { kind: "host", name: "" }],
	["req.url.path", { kind: "path", name: "" }],
	["req.url.raw_path", { kind: "path", name: "" }],
	["req.url.query", { kind: "query", name: "" }],
	["req.user_agent", { kind: "field", name: "user-agent" }],
	["req.user_agent.raw", { kind: "field", name: "user-agent" }],
	["req.content_type.raw", { kind: "field", name: "content-type" }],
	["req.location", { kind: "field", name: "location" }],
]);

/** Fields that the front has views of its own on. */
const OTHERWISE_READ: ReadonlySet<string> = new Set(["connection", "content-length", "host"]);

const COMPARISONS: ReadonlyMap<string, Comparison> = new Map([
	["startsWith", "starts"],
	["endsWith", "ends"],
	["contains", "contains"],
]);

/** Loop variables, and the text that each stands for. */
type Loops = ReadonlyMap<string, Subject | string>;

/** @param checked the tree of an expression that yields a bool */
export const testOf = (checked: Node): Test => new Reader().read(checked, new Map());

/** Is there anything in it that can't be told? */
export function hasUnknown(test: Test): boolean {
	if (test.kind === "not") return hasUnknown(test.of);
	if (test.kind === "all" || test.kind === "any") return test.of.some(hasUnknown);
	return test.kind === "unknown";
}

class Reader {
	/** loops within loops would make tests without end */
	#left: number = LIMITS.standingTexts;
	/** and would be read without end where they make none: a condition that can't be told takes no text */
	#nodesLeft: number = 8 * LIMITS.standingTexts;

	read(node: Node, loops: Loops): Test {
		if (this.#left <= 0 || --this.#nodesLeft < 0) return UNKNOWN;
		switch (node.kind) {
			case "constant":
				return typeof node.value === "boolean" ? constant(node.value) : UNKNOWN;
			case "unary":
				return node.operator === "!_"
					? { kind: "not", of: this.read(node.operand, loops) }
					: UNKNOWN;
			case "binary":
				return this.#operator(node, loops);
			case "call":
				return this.#call(node, loops);
			case "quantifier":
				return this.#loop(node, loops);
			case "has":
				return this.#present(node);
			default:
				return UNKNOWN;
		}
	}

	#operator(node: BinaryNode, loops: Loops): Test {
		const { operator, left, right } = node;
		switch (operator) {
			case "_&&_":
			case "_||_": {
				const of = [this.read(left, loops), this.read(right, loops)];
				return operator === "_&&_" ? { kind: "all", of } : { kind: "any", of };
			}
			case "_==_":
				return this.#equality(left, right, loops);
			case "_!=_":
				return { kind: "not", of: this.#equality(left, right, loops) };
			case "@in":
				return this.#membership(node, loops);
			default:
				return UNKNOWN;
		}
	}

	#equality(left: Node, right: Node, loops: Loops): Test {
		const text = literal(right, loops) ?? literal(left, loops);
		const operand = literal(right, loops) === undefined ? right : left;
		if (text === undefined) return UNKNOWN;
		if (variableOf(operand) === "conn.client_ip") return this.#addresses([text]);
		return this.#text(subjectOf(operand, loops), "equals", [text]);
	}

	#membership(node: BinaryNode, loops: Loops): Test {
		const { left, right } = node;
		if (headerReadOf(node) !== undefined) return this.#present(node);
		const line = lineOf(right, "false");
		const text = literal(left, loops);
		if (line !== undefined && text !== undefined) return this.#text(line, "equals", [text]);
		const texts = literals(right, loops);
		if (texts === undefined) return UNKNOWN;
		if (variableOf(left) === "conn.client_ip") return this.#addresses(texts);
		return this.#text(subjectOf(left, loops), "equals", texts);
	}

	#call({ name, target, args }: CallNode, loops: Loops): Test {
		const [first, second] = target === undefined ? args : [target, ...args];
		if (first === undefined || second === undefined) return UNKNOWN;
		if (name === "inCidrRange" || name === "inCidrRanges") {
			const ranges =
				variableOf(first) === "conn.client_ip" ? rangesIn(literals(second, loops)) : undefined;
			return ranges === undefined ? UNKNOWN : { kind: "address", ranges };
		}
		// A pattern that a loop gives is judged when it is searched for, and fails if it is too long.
		const text = name === "matches" ? textLiteral(second) : literal(second, loops);
		const subject = subjectOf(first, loops);
		if (text === undefined || subject === undefined) return UNKNOWN;
		const comparison = COMPARISONS.get(name);
		if (comparison !== undefined) return this.#text(subject, comparison, [text]);
		if (name !== "matches") return UNKNOWN;
		const pattern = literalsOf(text);
		if (pattern === undefined) return UNKNOWN;
		const folded = { ...subject, folds: subject.folds || pattern.folds };
		const of = pattern.alternatives.map((each) => this.#text(folded, each.comparison, [each.text]));
		return { kind: "any", of };
	}

	/** Over the lines of a field, of which there is one or none, or over literals. */
	#loop({ macro, range, variables, condition }: QuantifierNode, loops: Loops): Test {
		const [variable, second] = variables;
		if (macro === "exists_one" || second !== undefined) return UNKNOWN;
		const line = lineOf(range, "empty");
		if (line !== undefined) {
			const there = this.#text(line, "present", []);
			const holds = this.read(condition, new Map(loops).set(variable, line));
			return macro === "exists"
				? { kind: "all", of: [there, holds] }
				: { kind: "any", of: [{ kind: "not", of: there }, holds] };
		}
		const texts = literals(range, loops);
		if (texts === undefined) return UNKNOWN;
		const of = texts.map((text) => this.read(condition, new Map(loops).set(variable, text)));
		return { kind: macro === "exists" ? "any" : "all", of };
	}

	#present(node: Node): Test {
		const read = headerReadOf(node);
		const subject = read === undefined ? undefined : field(read.name, "false");
		return this.#text(subject, "present", []);
	}

	#addresses(texts: readonly string[]): Test {
		this.#left -= texts.length;
		return { kind: "address", ranges: addressesIn(texts) };
	}

	#text(subject: Subject | undefined, comparison: Comparison, texts: readonly string[]): Test {
		this.#left -= texts.length + 1;
		if (subject === undefined) return UNKNOWN;
		// Looking for a text may cost its length times that of the request's.
		if (comparison === "contains" && texts.some(isLong)) return UNKNOWN;
		const isNone = comparison !== "present" && texts.length === 0;
		if (isNone) return subject.absent === "unknown" ? UNKNOWN : constant(false);
		const bounded = comparison === "present" && subject.absent === "empty";
		const meant = bounded ? { ...subject, absent: "false" as const } : subject;
		return { kind: "text", subject: meant, comparison, texts };
	}
}

function field(name: string, absent: Subject["absent"]): Subject | undefined {
	if (OTHERWISE_READ.has(name)) return undefined;
	return { kind: "field", name, absent, folds: false };
}

/** Of `req.headers['name']` and its like, which is a list. */
function lineOf(node: Node, absent: Subject["absent"]): Subject | undefined {
	const isLookUp = node.kind === "select" || (node.kind === "binary" && node.operator === "_[_]");
	const read = isLookUp ? headerReadOf(node) : undefined;
	return read === undefined ? undefined : field(read.name, absent);
}

function subjectOf(node: Node, loops: Loops): Subject | undefined {
	if (node.kind === "identifier") {
		const known = loops.get(node.name);
		return typeof known === "object" ? known : undefined;
	}
	if (node.kind === "call" && node.name === "lowerAscii" && node.target !== undefined) {
		const subject = subjectOf(node.target, loops);
		return subject && { ...subject, folds: true };
	}
	// Its first line; without one this fails.
	if (node.kind === "binary" && node.operator === "_[_]" && isZero(node.right))
		return lineOf(node.left, "unknown");
	const named = SUBJECTS.get(variableOf(node) ?? "");
	return named && { ...named, absent: "empty", folds: false };
}

const isLong = ({ length }: string): boolean => length > LIMITS.literalPatternCharacters;

const isZero = (node: Node): boolean => node.kind === "constant" && node.value === 0n;

function literal(node: Node, loops: Loops): string | undefined {
	if (node.kind !== "identifier") return textLiteral(node);
	const known = loops.get(node.name);
	return typeof known === "string" ? known : undefined;
}

/** Of one text or of a list of texts. */
function literals(node: Node, loops: Loops): readonly string[] | undefined {
	if (node.kind !== "list") {
		const text = literal(node, loops);
		return text === undefined ? undefined : [text];
	}
	if (node.optionalIndices.length > 0) return undefined;
	const texts = node.elements.map((element) => literal(element, loops));
	return texts.every((text) => text !== undefined) ? texts : undefined;
}
