/**
 * A member's state for the bench: a Map in place of LMDB, and each record once for all of a process, so that a thousand fit
 * into two. It keeps what
 * the protocol asks of a state: each record fits, in order, with its digest. Used by `members.mjs`, and by the bench for the one that writes.
 */
import { createHash, randomBytes } from "node:crypto";

const DIGEST_CHARACTERS = 22;
const RING = 1000;

/** @param {string} key @param {string} value */
const entryHash = (key, value) => {
	const text = `${key}\0${value.slice(0, DIGEST_CHARACTERS)}`;
	return BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 32)}`);
};
/** @type {Map<string, import("../../src/fleet/record.ts").FleetRecord>} as whoever came first has read them, by id */
const records = new Map();
/** @param {import("../../src/fleet/record.ts").FleetRecord} record */
const shared = (record) => {
	const known = records.get(record.id);
	if (known !== undefined) return known;
	records.set(record.id, record);
	const [oldest = ""] = records.keys();
	if (records.size > 2 * RING) records.delete(oldest);
	return record;
};

/** @param {bigint} sum */
const hex = (sum) => sum.toString(16).padStart(32, "0");

class Contents {
	/** @type {Map<string, string>} */
	entries = new Map();
	sum = 0n;

	/** @param {string} key @param {string | undefined} value */
	set(key, value) {
		const old = this.entries.get(key);
		if (old !== undefined) this.sum ^= entryHash(key, old);
		if (value === undefined) this.entries.delete(key);
		else {
			this.sum ^= entryHash(key, value);
			this.entries.set(key, value);
		}
	}

	/** @param {readonly import("../../src/fleet/record.ts").Operation[]} operations */
	apply(operations) {
		for (const [kind, key, value] of operations) this.set(key, kind === "put" ? value : undefined);
	}
}

export class LightState {
	member = `m_${randomBytes(12).toString("base64url")}`;
	/** @type {import("../../src/fleet/state.ts").Position | undefined} */
	position;
	#contents = new Contents();
	/** @type {Map<number, {id: string, isVoid: boolean, record: import("../../src/fleet/record.ts").FleetRecord | undefined}>} */
	#ring = new Map();

	/** @type {import("../../src/fleet/state.ts").FleetState["decide"]} */
	decide(operations) {
		/** @type {import("../../src/fleet/record.ts").Operation[]} */
		const puts = [];
		const writes = /** @type {never} */ ({
			/** @param {string} key @param {string} value */
			put: (key, value) => void puts.push(["put", key, value]),
		});
		const outcomes = operations.map((operation) => ({ value: operation(writes) }));
		let sum = this.#contents.sum;
		for (const [, key, value] of new Map(puts.map((put) => [put[1], put])).values()) {
			const old = this.#contents.entries.get(key);
			if (old !== undefined) sum ^= entryHash(key, old);
			sum ^= entryHash(key, value ?? "");
		}
		const bytes = puts.reduce((all, [, key, value = ""]) => all + key.length + value.length, 0);
		return { outcomes, operations: puts, after: hex(sum), level: 1, bytes };
	}

	/** @type {import("../../src/fleet/state.ts").FleetState["take"]} */
	take(taken) {
		if (this.position === undefined) throw new Error("there is no state");
		let { position } = this;
		for (const { revision, record: read, isVoid } of taken) {
			const record = read && shared(read);
			this.#ring.set(revision, { id: record?.id ?? "", isVoid, record });
			this.#ring.delete(revision - RING);
			position = { ...position, applied: revision };
			if (isVoid || record === undefined) continue;
			this.#contents.apply(record.operations);
			position = { ...position, head: revision, digest: record.after, level: record.level };
			if (hex(this.#contents.sum) !== record.after) throw new Error(`misfit at ${revision}`);
		}
		this.position = position;
		return { changes: [{ kind: "policy", edgeId: "site", routeId: "all" }] };
	}

	ring() {
		return this.#ring;
	}

	/** @param {number} revision */
	ringRecord(revision) {
		return this.#ring.get(revision)?.record;
	}

	wholeDigest() {
		return hex(this.#contents.sum);
	}

	/** @returns {import("../../src/fleet/log/log.ts").Snapshot} */
	snapshot() {
		if (this.position === undefined) throw new Error("there is no state");
		const { applied: revision, head, digest, level, incarnation } = this.position;
		const entries = [...this.#contents.entries].sort();
		return {
			...{ revision, head, digest, level, incarnation },
			id: this.#ring.get(revision)?.id ?? "",
			count: entries.length,
			entries: eachOf(entries),
		};
	}

	/** @type {import("../../src/fleet/state.ts").FleetState["stage"]} */
	async stage(from, fleet) {
		const contents = new Contents();
		if (from !== undefined) for await (const [key, value] of from.entries) contents.set(key, value);
		const { revision: applied = 0, head = 0, level = 1 } = from ?? {};
		const position = { ...fleet, applied, head, level, digest: hex(contents.sum) };
		return new Staged(contents, position);
	}

	/** @type {import("../../src/fleet/state.ts").FleetState["become"]} */
	async become(staged) {
		if (!(staged instanceof Staged)) throw new Error("another's");
		this.position = staged.position;
		this.#contents = staged.contents;
		this.#ring = staged.ring;
		return [];
	}

	/** @type {import("../../src/fleet/state.ts").FleetState["begin"]} */
	begin({ revision, ...rest }) {
		const digest = this.wholeDigest();
		this.position = { ...rest, applied: revision, head: revision, digest };
	}

	leave() {
		this.position = undefined;
	}

	/** Before the fleet begins. @param {string} key @param {string} value */
	fill(key, value) {
		this.#contents.set(key, value);
	}
}

class Staged {
	/** @type {Map<string, number>} */
	valid = new Map();
	/** @type {Map<number, {id: string, isVoid: boolean, record: import("../../src/fleet/record.ts").FleetRecord | undefined}>} */
	ring = new Map();

	/** @param {Contents} contents @param {import("../../src/fleet/state.ts").Position} position */
	constructor(contents, position) {
		this.contents = contents;
		this.position = position;
	}

	/** @param {readonly import("../../src/fleet/record.ts").NumberedRecord[]} taken */
	take(taken) {
		for (const { revision, record: read } of taken) {
			const record = read && shared(read);
			const isVoid = record === undefined || record.before !== hex(this.contents.sum);
			this.ring.set(revision, { id: record?.id ?? "", isVoid, record });
			this.position = { ...this.position, applied: revision };
			if (isVoid) continue;
			this.contents.apply(record.operations);
			this.valid.set(record.id, revision);
			const { after: digest, level } = record;
			this.position = { ...this.position, head: revision, digest, level };
		}
	}

	close() {}
}

/** @template T @param {readonly T[]} all */
async function* eachOf(all) {
	yield* all;
}
