/**
 * The values that the nodes of a YAML document stand for, as JSON would have them, and the way from a pointer back to
 * a node. Written anew instead of the library's, which repeats what aliases name without a bound, takes any key, and
 * lets the last of two equal keys win. Used by `yaml.ts`.
 */
import {
	type Alias,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	type Node,
	type Pair,
	type Scalar,
} from "yaml";
import { LIMITS } from "../limits/limits.ts";
import { pointerTokens } from "./json-position.ts";
import { quoted } from "./nearest.ts";
import { type FaultAt, hasUnpairedSurrogate } from "./text.ts";

/** What the library leaves for a value that is not written. */
type Missing = null | undefined;
type Any = Node | Missing;

const startOf = (node: unknown): number =>
	(node as { range?: [number] } | Missing)?.range?.[0] ?? 0;

/** Of one document. `fault` is the first thing that is refused; what is returned then is worthless. */
export class YamlValues {
	fault: FaultAt | undefined;
	readonly #anchors = new Map<string, Node>();
	readonly #targets = new Map<Alias, Node>();
	/** nodes whose content is being looked at: an alias of one would never end */
	readonly #open = new Set<Node>();
	#repeated = 0;

	valueOf(root: unknown): unknown {
		return this.#value(root as Any, 0, false);
	}

	/** @param isRepeat an alias has led here, so this is no text of its own */
	#value(node: Any, depth: number, isRepeat: boolean): unknown {
		if (this.fault !== undefined || node === null || node === undefined) return null;
		if (isRepeat && ++this.#repeated > LIMITS.yamlRepeatedValues)
			return this.#refuse(`aliases repeat more than ${LIMITS.yamlRepeatedValues} values`, node);
		if (isAlias(node)) return this.#repeat(node, depth);
		this.#note(node);
		if (isScalar(node)) return this.#scalar(node);
		if (depth >= LIMITS.jsonDepth)
			return this.#refuse(`nested deeper than ${LIMITS.jsonDepth} levels`, node);
		this.#open.add(node);
		let value: unknown = null;
		if (isSeq(node))
			value = node.items.map((item) => this.#value(item as Any, depth + 1, isRepeat));
		else if (isMap(node)) value = this.#members(node.items as Pair[], depth, isRepeat);
		this.#open.delete(node);
		return value;
	}

	#repeat(alias: Alias, depth: number): unknown {
		const target = this.#anchors.get(alias.source);
		if (target === undefined)
			return this.#refuse(`*${alias.source} repeats nothing: no &${alias.source} before it`, alias);
		if (this.#open.has(target))
			return this.#refuse(`*${alias.source} stands inside what it repeats`, alias);
		this.#targets.set(alias, target);
		return this.#value(target, depth, true);
	}

	/** What any node may carry. */
	#note(node: Node): void {
		const { tag } = node;
		if (tag !== undefined)
			this.#refuse(`tags are not allowed (${quoted(tag)}); put a text in quotes instead`, node);
		const { anchor } = node as { anchor?: string };
		if (anchor !== undefined) this.#anchors.set(anchor, node);
	}

	#scalar(node: Scalar): unknown {
		const { value } = node;
		if (typeof value === "number" && !Number.isFinite(value))
			return this.#refuse(`the number ${quoted(node.source ?? "")} is not finite`, node);
		if (typeof value === "string") this.#refuseHalves(value, node);
		return value;
	}

	#members(pairs: readonly Pair[], depth: number, isRepeat: boolean): unknown {
		const members: Record<string, unknown> = {};
		for (const { key, value } of pairs) {
			const name = this.#name(key as Any);
			if (this.fault !== undefined) return null;
			if (Object.hasOwn(members, name)) return this.#refuse(`duplicate key ${quoted(name)}`, key);
			members[name] = this.#value(value as Any, depth + 1, isRepeat);
		}
		return members;
	}

	/** As it is written, so that `404`, `no` and `null` are names too. */
	#name(key: Any): string {
		if (!isScalar(key)) {
			this.#refuse("a key has to be a text", key);
			return "";
		}
		this.#note(key);
		const name = keyText(key);
		if (name === "" && key.type === "PLAIN") this.#refuse('the key before ":" is missing', key);
		if (name === "__proto__") this.#refuse('the key "__proto__" is not allowed', key);
		if (name === "<<" && key.type === "PLAIN")
			this.#refuse("YAML 1.2 has no merge keys (<<); write the fields out", key);
		this.#refuseHalves(name, key);
		return name;
	}

	#refuseHalves(text: string, node: Node): void {
		if (hasUnpairedSurrogate(text)) this.#refuse("unpaired surrogate in a string", node);
	}

	#refuse(message: string, node: unknown): null {
		this.fault ??= { message, offset: startOf(node) };
		return null;
	}

	/** As `ParsedText.positionOf`; through an alias it leads to what the alias repeats. */
	offsetOf(root: unknown, pointer: string): number | undefined {
		const tokens = pointerTokens(pointer);
		if (tokens === undefined) return undefined;
		let node = root as Any;
		let offset = startOf(node);
		for (const token of tokens) {
			const next = step(this.#aimOf(node), token);
			if (next === undefined) break;
			offset = next.offset;
			node = next.node;
		}
		return offset;
	}

	#aimOf(node: Any): Any {
		let aim = node;
		while (isAlias(aim)) aim = this.#targets.get(aim);
		return aim;
	}
}

const keyText = (key: Scalar): string =>
	key.type === "PLAIN" ? (key.source ?? "") : String(key.value);

function step(node: Any, token: string): { node: Any; offset: number } | undefined {
	if (isSeq(node)) {
		const element = /^(0|[1-9][0-9]*)$/.test(token) ? node.items[Number(token)] : undefined;
		return element === undefined ? undefined : { node: element as Any, offset: startOf(element) };
	}
	for (const { key, value } of isMap(node) ? (node.items as Pair[]) : [])
		if (isScalar(key) && keyText(key) === token)
			return { node: value as Any, offset: startOf(key) };
	return undefined;
}
