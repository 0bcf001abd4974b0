/**
 * Generated expressions as trees that can be written and made smaller. A term is written in two dialects:
 * the project's, and that of the oracle, whose parser lacks the syntax of optionals.
 */

export type Dialect = "weir" | "oracle";

export interface Term {
	/** the type's name, e.g. `list<int>` */
	readonly type: string;
	readonly parts: readonly Term[];
	/** from the texts of the parts to the text of the whole */
	readonly write: (parts: readonly string[], dialect: Dialect) => string;
}

export const leaf = (type: string, text: string): Term => ({ type, parts: [], write: () => text });

export const written = (term: Term, dialect: Dialect): string =>
	term.write(
		term.parts.map((part) => written(part, dialect)),
		dialect,
	);

/** The simplest value of each type, to put in place of what does not matter. */
const SIMPLEST: Readonly<Record<string, string>> = {
	bool: "true",
	bytes: "b''",
	double: "1.0",
	duration: "duration('1s')",
	dyn: "dyn(1)",
	int: "1",
	null: "null",
	string: "''",
	timestamp: "timestamp(0)",
	type: "int",
	uint: "1u",
};

function simplest(type: string): string | undefined {
	if (type.startsWith("list<")) return "[]";
	if (type.startsWith("map<")) return "{}";
	return type.startsWith("optional<") ? "optional.none()" : SIMPLEST[type];
}

/** Smaller terms, the smallest first where that is known. */
function* smaller(term: Term): Generator<Term> {
	for (const part of below(term)) if (part !== term) yield part;
	yield* withSmallerPart(term);
}

function* withSmallerPart(term: Term): Generator<Term> {
	for (const [index, part] of term.parts.entries()) {
		for (const replacement of replacements(part)) {
			yield { ...term, parts: term.parts.with(index, replacement) };
		}
	}
}

function* replacements(term: Term): Generator<Term> {
	const text = simplest(term.type);
	if (text !== undefined && written(term, "weir") !== text) yield leaf(term.type, text);
	for (const part of below(term)) if (part !== term && part.type === term.type) yield part;
	yield* withSmallerPart(term);
}

function* below(term: Term): Generator<Term> {
	for (const part of term.parts) {
		yield part;
		yield* below(part);
	}
}

/** Attempts at making one term smaller; more take longer than they are worth. */
const ATTEMPTS = 2000;

/** The smallest term found that still has the property, going from one to the next. */
export function shrunk(term: Term, hasProperty: (term: Term) => boolean): Term {
	let current = term;
	let attempts = 0;
	for (let found = true; found; ) {
		found = false;
		const length = written(current, "weir").length;
		for (const candidate of smaller(current)) {
			if (++attempts > ATTEMPTS) return current;
			if (written(candidate, "weir").length >= length || !hasProperty(candidate)) continue;
			current = candidate;
			found = true;
			break;
		}
	}
	return current;
}
