/**
 * Versions of policies (contract 2, "Versions of a policy"): what every change of a policy leaves behind, in the same
 * transaction, as documents of their own (`v/EDGE/ROUTE/N`). So a fleet's log, its snapshots and backups carry them like any
 * other document, and every machine ends with the same. `keepVersion` is called by every write of a policy (`writes.ts`);
 * the reading half by `writer.ts`. Workers read none of it.
 *
 * Numbers stand in keys with leading zeros, so that the order of keys is theirs. They have no gaps, so that what is too old
 * is known by its number: nothing is counted, and of versions that were there before only one key is read.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { LIMITS } from "../limits/limits.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import { putDocument, removeDocument, removeDocuments } from "./indexes.ts";
import {
	decode,
	decodeDocument,
	encode,
	idOf,
	isAnyUnder,
	under,
	versionsUnder,
} from "./layout.ts";
import type { Reads, Writes } from "./lmdb/database.ts";
import type { Page, Stored } from "./store.ts";
import type { Keeping, KeptVersions, PolicyVersion, VersionRecord } from "./version-shapes.ts";

const DIGITS = 12;

const versionKey = (edgeId: string, routeId: string, number: number): string =>
	versionsUnder(edgeId, routeId) + String(number).padStart(DIGITS, "0");

/** A policy as it is stored. */
interface StoredText {
	readonly etag: string;
	readonly json: string;
}

/**
 * Keeps what a policy is from now on, and drops what is too old. To be called where the policy is written, if it is another
 * than before. @param before undefined: there was none
 * @returns number of the newest, as `newestVersion` would tell it
 */
export function keepVersion(
	writes: Writes,
	{ edgeId, routeId }: { readonly edgeId: string; readonly routeId: string },
	before: Stored<PolicyDocument> | undefined,
	after: StoredText,
	keeping: Keeping,
): number | undefined {
	const { kept, origin, rolledBackTo } = keeping;
	const newest = hintedNewest(writes, edgeId, routeId);
	if (kept === 0) return newest;
	let last = newest ?? 0;
	const add = (stored: StoredText, about: object): void => {
		const { value } = encode(recordOf(stored, about));
		putDocument(writes, versionKey(edgeId, routeId, ++last), value, undefined, undefined);
	};
	// What was stored by a build that kept no versions can be had back, too.
	if (last === 0 && before !== undefined)
		add({ etag: before.etag, json: JSON.stringify(before.document) }, {});
	const { at, key, keyName, requestId } = origin;
	add(after, { at, key, keyName, requestId, rolledBackTo });
	for (let old = last - kept; old > 0; old--) {
		const oldKey = versionKey(edgeId, routeId, old);
		if (writes.get(oldKey) === undefined) break;
		removeDocument(writes, oldKey, undefined);
	}
	note(versionsUnder(edgeId, routeId), last);
	return last;
}

/**
 * Numbers of the newest versions as they were seen last, by what their keys begin with: two keys that are asked for tell
 * whether one is right still, which takes a fraction of what a walk takes.
 */
const hints = new Map<string, number>();

function hintedNewest(writes: Writes, edgeId: string, routeId: string): number | undefined {
	const hint = hints.get(versionsUnder(edgeId, routeId));
	const isNewest =
		hint !== undefined &&
		writes.get(versionKey(edgeId, routeId, hint + 1)) === undefined &&
		writes.get(versionKey(edgeId, routeId, hint)) !== undefined;
	return isNewest ? hint : newestVersion(writes, edgeId, routeId);
}

function note(prefix: string, newest: number): void {
	hints.delete(prefix);
	hints.set(prefix, newest);
	if (hints.size <= LIMITS.versionHints) return;
	const [eldest = ""] = hints.keys();
	hints.delete(eldest);
}

function recordOf({ etag, json }: StoredText, about: object): VersionRecord {
	const size = Buffer.byteLength(json);
	return { mark: etag.slice(1, -1), size, ...about, text: deflated(json, size) };
}

const SMALL_BYTES = 1024;

/** What goes before the bytes of a stored block: that it is the last, its length, and that with all bits turned. */
const BLOCK_HEAD_BYTES = 5;

/** Of a small text. */
const block = Buffer.alloc(BLOCK_HEAD_BYTES + SMALL_BYTES);

/**
 * In base64. A megabyte takes a third of the time that the default level takes, for a tenth more. A small text, as most
 * policies are, is kept in a block that is stored as it is (RFC 1951, 3.2.4), since all else that a write does with it
 * takes not much longer than to compress it.
 */
function deflated(json: string, size: number): string {
	if (size > SMALL_BYTES) return deflateRawSync(Buffer.from(json), { level: 1 }).toString("base64");
	block[0] = 1;
	block.writeUInt16LE(size, 1);
	block.writeUInt16LE(~size & 0xffff, 3);
	block.write(json, BLOCK_HEAD_BYTES);
	return block.toString("base64", 0, BLOCK_HEAD_BYTES + size);
}

/** With the route or the edge that they are of; without `routeId` all of the edge. */
export function removeVersions(writes: Writes, edgeId: string, routeId?: string): void {
	const prefix = versionsUnder(edgeId, routeId);
	if (isAnyUnder(writes, prefix)) removeDocuments(writes, prefix);
}

/** Number of the newest; undefined: there is none. */
export function newestVersion(
	reads: Pick<Reads, "keys">,
	edgeId: string,
	routeId: string,
): number | undefined {
	const range = { ...under(versionsUnder(edgeId, routeId)), reverse: true, limit: 1 };
	for (const key of reads.keys(range)) return Number(idOf(key));
	return undefined;
}

export function versionsKept(
	reads: Pick<Reads, "keys">,
	edgeId: string,
	routeId: string,
): KeptVersions | undefined {
	const newest = newestVersion(reads, edgeId, routeId);
	if (newest === undefined) return undefined;
	for (const key of reads.keys({ ...under(versionsUnder(edgeId, routeId)), limit: 1 }))
		return { oldest: Number(idOf(key)), newest };
	return undefined;
}

/** Newest first, those below `before`. */
export function versionPage(
	reads: Pick<Reads, "range">,
	edgeId: string,
	routeId: string,
	limit: number,
	before: number | undefined,
): Page<PolicyVersion> {
	const below = before === undefined ? undefined : String(before).padStart(DIGITS, "0");
	const range = under(versionsUnder(edgeId, routeId), "", below);
	// the end of a range belongs to it when it is walked backwards, hence one more and the filter
	const entries = Array.from(reads.range({ ...range, reverse: true, limit: limit + 2 }))
		.map(({ key, value }) => told(Number(idOf(key)), decodeDocument<VersionRecord>(value)))
		.filter(({ number }) => number !== before);
	const items = entries.slice(0, limit);
	return { items, next: entries.length > limit ? String(items.at(-1)?.number) : null };
}

function told(number: number, { mark, text: _, ...about }: VersionRecord): PolicyVersion {
	return { number, etag: `"${mark}"`, ...about };
}

/** The policy as it was. @throws StoreError the file is damaged */
export function policyAtVersion(
	reads: Pick<Reads, "get">,
	edgeId: string,
	routeId: string,
	number: number,
): Stored<PolicyDocument> | undefined {
	const key = versionKey(edgeId, routeId, number);
	const value = reads.get(key);
	if (value === undefined) return undefined;
	const { mark, text } = decode<VersionRecord>(value, key).document;
	const bytes = inflateRawSync(Buffer.from(text, "base64"), {
		maxOutputLength: LIMITS.fleetRecordInflatedBytes,
	});
	return { document: JSON.parse(bytes.toString()) as PolicyDocument, etag: `"${mark}"` };
}
