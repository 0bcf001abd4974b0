/**
 * The content of a state in memory: primary and derived entries, its digest, and how records and operations change it. The
 * model's own notion of all that, apart from the store's.
 */
import { createHash } from "node:crypto";
import type { Operation } from "../../../src/fleet/record.ts";
import { hostportKey, matchKey } from "../../../src/store/layout.ts";
import type { KeyRange, Writes } from "../../../src/store/lmdb/database.ts";

const PRIMARY = /^[erpvklx]\//;
const DIGEST_CHARACTERS = 22;

const hashes = new Map<string, bigint>();

function entryHash(key: string, value: string): bigint {
	const text = `${key}\0${value.slice(0, DIGEST_CHARACTERS)}`;
	let found = hashes.get(text);
	if (found === undefined) {
		const hex = createHash("sha256").update(text).digest("hex").slice(0, 32);
		found = BigInt(`0x${hex}`);
		hashes.set(text, found);
	}
	return found;
}

const parsed = new Map<string, { hostports?: readonly string[]; match?: string }>();

function documentOf(value: string): { hostports?: readonly string[]; match?: string } {
	let found = parsed.get(value);
	if (found === undefined) {
		found = JSON.parse(value.slice(DIGEST_CHARACTERS)) as object;
		parsed.set(value, found);
	}
	return found;
}

const matchKeys = new Map<string, string>();

function matchKeyOf(edge: string, match: string): string {
	const text = `${edge} ${match}`;
	let found = matchKeys.get(text);
	if (found === undefined) {
		found = matchKey(edge, match);
		matchKeys.set(text, found);
	}
	return found;
}

export class Contents implements Writes {
	readonly entries: Map<string, string>;
	#digest: bigint;
	/** false: a mutant that forgets what follows from documents */
	readonly #derives: boolean;

	constructor(from?: Contents, derives = true) {
		this.entries = new Map(from?.entries);
		this.#digest = from === undefined ? 0n : from.#digest;
		this.#derives = derives;
	}

	get digest(): string {
		return this.#digest.toString(16).padStart(32, "0");
	}

	get(key: string): string | undefined {
		return this.entries.get(key);
	}

	put(key: string, value: string): void {
		if (PRIMARY.test(key)) {
			const old = this.entries.get(key);
			if (old !== undefined) this.#digest ^= entryHash(key, old);
			this.#digest ^= entryHash(key, value);
		}
		this.entries.set(key, value);
	}

	remove(key: string): void {
		const old = this.entries.get(key);
		if (old === undefined) return;
		if (PRIMARY.test(key)) this.#digest ^= entryHash(key, old);
		this.entries.delete(key);
	}

	clear(range: KeyRange): number {
		const keys = this.keys(range);
		for (const key of keys) this.remove(key);
		return keys.length;
	}

	*range(range: KeyRange): Iterable<{ key: string; value: string }> {
		for (const key of this.keys(range)) yield { key, value: this.entries.get(key) ?? "" };
	}

	keys({ start, end, reverse, limit }: KeyRange): string[] {
		const keys: string[] = [];
		for (const key of this.entries.keys()) if (key >= start && key < end) keys.push(key);
		keys.sort();
		if (reverse === true) keys.reverse();
		return keys.slice(0, limit);
	}

	count(range: KeyRange): number {
		return this.keys(range).length;
	}

	primary(): [string, string][] {
		return [...this.entries].filter(([key]) => PRIMARY.test(key)).sort();
	}

	/** Replays operations on primary keys; what is derived follows. */
	apply(operations: readonly Operation[]): void {
		for (const operation of operations) {
			if (operation[0] === "put") this.#replace(operation[1], operation[2]);
			else if (operation[0] === "delete") this.#replace(operation[1], undefined);
			else
				for (const key of [...this.entries.keys()])
					if (key.startsWith(operation[1])) this.#replace(key, undefined);
		}
	}

	#replace(key: string, value: string | undefined): void {
		const old = this.entries.get(key);
		if (this.#derives) {
			const owner = key.slice(key.lastIndexOf("/") + 1);
			// An operation before this one may have given it to another document.
			for (const each of derived(key, old))
				if (this.entries.get(each) === owner) this.entries.delete(each);
			for (const each of derived(key, value)) this.entries.set(each, owner);
		}
		if (value === undefined) this.remove(key);
		else this.put(key, value);
	}

	/** What a worker must never be told of; undefined: all is well. */
	fault(): string | undefined {
		const owners = new Map<string, string>();
		for (const [key, value] of this.entries) {
			if (!/^[er]\//.test(key)) continue;
			const edge = `e/${key.split("/")[1]}`;
			if (!this.entries.has(edge)) return `${key} without its edge`;
			for (const each of derived(key, value)) {
				const owner = owners.get(each);
				if (owner !== undefined) return `${each} belongs to ${owner} and ${key}`;
				owners.set(each, key);
			}
		}
		return undefined;
	}

	/** Operations that lead from another content to this one. */
	since(before: Contents): Operation[] {
		const operations: Operation[] = [];
		const cleared: string[] = [];
		for (const [key] of before.primary()) {
			if (this.entries.has(key)) continue;
			operations.push(["delete", key]);
			if (key.startsWith("e/")) cleared.push(`r/${key.slice(2)}/`, `p/${key.slice(2)}/`);
		}
		const isCleared = (key: string) => cleared.some((prefix) => key.startsWith(prefix));
		const rest = operations.filter(([, key]) => !isCleared(key));
		const ranges = cleared.map((prefix): Operation => ["delete-range", prefix]);
		const puts = this.primary()
			.filter(([key, value]) => before.get(key) !== value || isCleared(key))
			.map(([key, value]): Operation => ["put", key, value]);
		return [...rest, ...ranges, ...puts];
	}
}

/** Keys of what follows from a document. */
function derived(key: string, value: string | undefined): string[] {
	if (value === undefined) return [];
	if (key.startsWith("e/")) return (documentOf(value).hostports ?? []).map(hostportKey);
	if (!key.startsWith("r/")) return [];
	return [matchKeyOf(key.split("/")[1] ?? "", documentOf(value).match ?? "")];
}
