/**
 * Writes a pattern's tree as the source of a JavaScript `RegExp` without flags, which works on UTF-16 units.
 * Classes are written out, characters beyond U+FFFF as pairs of surrogates. So in well-formed text no match but
 * an empty one begins or ends within a pair. Called by `prepare.ts`.
 *
 * A class costs no more for its pairs where the text has none: for one-byte strings, which is what most
 * headers and URLs are, V8 drops alternatives that begin with a unit above U+00FF.
 */
import { type CodePoints, intersection, overlaps, SURROGATES } from "./code-points.ts";
import { type Assertion, type Node, some } from "./tree.ts";

export interface Translation {
	readonly source: string;
	/** classes hold lone surrogates too, which the source can't say: for texts without any */
	readonly wellFormedOnly: boolean;
}

/** @returns undefined for what has no equal: `\B` would match within a pair of surrogates */
export function translate(tree: Node): Translation | undefined {
	const isBetween = (node: Node) => node.kind === "assertion" && node.what === "no-word-boundary";
	if (some(tree, isBetween)) return undefined;
	const source = written(tree);
	const hasLone = (node: Node) => node.kind === "set" && overlaps(node.set, SURROGATES);
	return { source: source === "" ? "(?:)" : source, wellFormedOnly: some(tree, hasLone) };
}

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
	"begin-text": "^",
	"end-text": "$",
	"begin-line": "(?:^|(?<=\\n))",
	"end-line": "(?:$|(?=\\n))",
	"word-boundary": "\\b",
	"no-word-boundary": "\\B",
};

function written(node: Node): string {
	switch (node.kind) {
		case "empty":
			return "";
		case "set":
			return writtenSet(node.set);
		case "assertion":
			return ASSERTIONS[node.what];
		case "concat":
			return node.parts
				.map((part) => (part.kind === "alternate" ? `(?:${written(part)})` : written(part)))
				.join("");
		case "alternate":
			return node.parts.map(written).join("|");
		case "capture":
			return `(${written(node.body)})`;
		case "repeat":
			return repeated(node.body) + quantifier(node);
	}
}

/** a character, an escape, or a class */
const ONE_ATOM = /^(?:\[(?:[^\]\\]|\\.)*\]|\\u....|\\.|.)$/;

/** The source of a node in brackets, so that a quantifier can stand behind it. */
function repeated(body: Node): string {
	const source = written(body);
	const isAtom = body.kind === "capture" || (body.kind === "set" && ONE_ATOM.test(source));
	return isAtom ? source : `(?:${source})`;
}

function quantifier({ min, max, greedy }: Node & { readonly kind: "repeat" }): string {
	const lazy = greedy ? "" : "?";
	if (max === Infinity && min < 2) return `${min === 0 ? "*" : "+"}${lazy}`;
	if (min === 0 && max === 1) return `?${lazy}`;
	if (min === max) return `{${min}}${lazy}`;
	return `{${min},${max === Infinity ? "" : max}}${lazy}`;
}

const ONE_UNIT: readonly CodePoints[] = [
	[0, 0xd7ff],
	[0xe000, 0xffff],
];
const TWO_UNITS: CodePoints = [0x10000, 0x10ffff];

function writtenSet(set: CodePoints): string {
	const units = ONE_UNIT.flatMap((part) => intersection(set, part));
	const pairs = writtenPairs(intersection(set, TWO_UNITS));
	const alternatives =
		units.length === 0 && pairs.length > 0 ? pairs : [unitClass(units), ...pairs];
	return alternatives.length === 1 ? (alternatives[0] ?? "") : `(?:${alternatives.join("|")})`;
}

/** @param units pairs of first and last unit */
function unitClass(units: readonly number[]): string {
	const [only, last] = units;
	if (units.length === 2 && only !== undefined && only === last) return writtenUnit(only);
	let ranges = "";
	for (let index = 0; index < units.length; index += 2) {
		const [from = 0, to = 0] = units.slice(index, index + 2);
		ranges += writtenUnit(from);
		if (to > from) ranges += `${to > from + 1 ? "-" : ""}${writtenUnit(to)}`;
	}
	return `[${ranges}]`;
}

/** Itself where it means itself both inside and outside of a class. */
function writtenUnit(unit: number): string {
	const character = String.fromCharCode(unit);
	if (/[A-Za-z0-9 _/:;,=&%@~#"'<>!`]/.test(character)) return character;
	return /[!-~]/.test(character) ? `\\${character}` : `\\u${unit.toString(16).padStart(4, "0")}`;
}

const high = (codePoint: number): number => 0xd800 + ((codePoint - 0x10000) >> 10);
const low = (codePoint: number): number => 0xdc00 + ((codePoint - 0x10000) & 0x3ff);

/** Alternatives of a high and a low surrogate, or a class of either. */
function writtenPairs(set: CodePoints): string[] {
	const pairs: string[] = [];
	const add = (firstHigh: number, lastHigh: number, firstLow: number, lastLow: number): void => {
		if (firstHigh > lastHigh) return;
		pairs.push(unitClass([firstHigh, lastHigh]) + unitClass([firstLow, lastLow]));
	};
	for (let index = 0; index < set.length; index += 2) {
		const [first = 0, last = 0] = set.slice(index, index + 2);
		const whole = [high(first), high(last)] as const;
		if (whole[0] === whole[1]) {
			add(whole[0], whole[1], low(first), low(last));
			continue;
		}
		const beginsWhole = low(first) === 0xdc00;
		const endsWhole = low(last) === 0xdfff;
		if (!beginsWhole) add(whole[0], whole[0], low(first), 0xdfff);
		add(whole[0] + (beginsWhole ? 0 : 1), whole[1] - (endsWhole ? 0 : 1), 0xdc00, 0xdfff);
		if (!endsWhole) add(whole[1], whole[1], 0xdc00, low(last));
	}
	return pairs;
}
