/**
 * The part of a `GuardIndex` for one attribute: from a method, host or path to the rules that it admits. Texts that
 * must be equal are found in a map, prefixes in a radix tree, in time that depends on the attribute's length alone.
 */
import type { Guard } from "../../cel/expression.ts";

/**
 * Rules by number. A value that few rules want has a list of them, since bits for every value would fill much memory.
 */
type Rules = readonly number[] | Uint32Array;

interface PrefixNode {
	/** characters between the parent and this node; the first leads here */
	readonly label: string;
	/** rules that want the prefix that ends here */
	readonly rules: Rules | undefined;
	readonly children: ReadonlyMap<number, PrefixNode>;
}

export class AttributeIndex {
	/** the rules that take any text */
	readonly #always: Uint32Array;
	readonly #equal: ReadonlyMap<string, Rules>;
	readonly #prefixes: ReadonlyMap<number, PrefixNode>;
	/** filled anew by each `narrow` */
	readonly #admitted: Uint32Array;

	/** @param guards for each rule its guard on the attribute */
	constructor(guards: readonly (Guard | undefined)[]) {
		const open = guards.flatMap((guard, rule) => (admitsAll(guard) ? [rule] : []));
		const words = Math.ceil(guards.length / 32);
		this.#always = bitsOf(open, words);
		this.#admitted = new Uint32Array(words);
		this.#equal = rulesByValue(guards, "equals", words);
		const prefixes = rulesByValue(guards, "starts_with", words);
		prefixes.delete("");
		const texts = [...prefixes.keys()].sort();
		this.#prefixes = treeOf(texts, prefixes, 0, texts.length, 0);
	}

	/** Hot. Takes out of `selected` the rules that want another text. @returns whether any is left */
	narrow(selected: Uint32Array, text: string): boolean {
		const admitted = this.#admitted;
		admitted.set(this.#always);
		const equal = this.#equal.get(text);
		if (equal !== undefined) add(admitted, equal);
		this.#addPrefixes(admitted, text);
		let left = 0;
		for (let word = 0; word < selected.length; word++) {
			const bits = (selected[word] ?? 0) & (admitted[word] ?? 0);
			selected[word] = bits;
			left |= bits;
		}
		return left !== 0;
	}

	#addPrefixes(admitted: Uint32Array, text: string): void {
		let children = this.#prefixes;
		let position = 0;
		while (children.size > 0 && position < text.length) {
			const node = children.get(text.charCodeAt(position));
			if (node === undefined || !text.startsWith(node.label, position)) return;
			if (node.rules !== undefined) add(admitted, node.rules);
			position += node.label.length;
			children = node.children;
		}
	}
}

const admitsAll = (guard: Guard | undefined): boolean =>
	guard === undefined || (guard.test === "starts_with" && guard.values.includes(""));

/** Hot. */
function add(bits: Uint32Array, rules: Rules): void {
	if (rules instanceof Uint32Array) {
		for (let word = 0; word < bits.length; word++) {
			bits[word] = (bits[word] ?? 0) | (rules[word] ?? 0);
		}
		return;
	}
	for (let at = 0; at < rules.length; at++) {
		const rule = rules[at] ?? 0;
		bits[rule >>> 5] = (bits[rule >>> 5] ?? 0) | (1 << (rule & 31));
	}
}

function bitsOf(rules: readonly number[], words: number): Uint32Array {
	const bits = new Uint32Array(words);
	add(bits, rules);
	return bits;
}

function rulesByValue(
	guards: readonly (Guard | undefined)[],
	test: Guard["test"],
	words: number,
): Map<string, Rules> {
	const lists = new Map<string, number[]>();
	for (const [rule, guard] of guards.entries()) {
		if (guard?.test !== test) continue;
		for (const value of guard.values) {
			const rules = lists.get(value);
			if (rules === undefined) lists.set(value, [rule]);
			else rules.push(rule);
		}
	}
	const table = new Map<string, Rules>();
	for (const [value, rules] of lists) {
		table.set(value, rules.length > words ? bitsOf(rules, words) : rules);
	}
	return table;
}

/**
 * The tree of `texts[from]` to before `texts[to]`.
 * @param texts sorted by UTF-16 units; the same up to `start`, and longer
 */
function treeOf(
	texts: readonly string[],
	rules: ReadonlyMap<string, Rules>,
	from: number,
	to: number,
	start: number,
): ReadonlyMap<number, PrefixNode> {
	const children = new Map<number, PrefixNode>();
	let at = from;
	while (at < to) {
		const first = texts[at] ?? "";
		const code = first.charCodeAt(start);
		let next = at + 1;
		while (next < to && texts[next]?.charCodeAt(start) === code) next++;
		const end = commonEnd(first, texts[next - 1] ?? first);
		const isWhole = first.length === end;
		children.set(code, {
			label: first.slice(start, end),
			rules: isWhole ? rules.get(first) : undefined,
			children: treeOf(texts, rules, isWhole ? at + 1 : at, next, end),
		});
		at = next;
	}
	return children;
}

function commonEnd(left: string, right: string): number {
	let end = 0;
	while (end < left.length && left.charCodeAt(end) === right.charCodeAt(end)) end++;
	return end;
}
