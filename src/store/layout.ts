/**
 * How the store's content lies in one ordered map, and under which layout number. Ids hold only
 * `A–Z a–z 0–9 _ - .` (contract 2), so `/` separates and the keys of one edge are one range.
 *
 * ```
 * e/EDGE            edge         h/HOSTPORT        edge id that owns it
 * r/EDGE/ROUTE      route        m/EDGE/DIGEST     route id that owns this match
 * p/EDGE/ROUTE      policy       k/KEY             API key
 * v/EDGE/ROUTE/N    version N of a policy
 * c/EDGE/ROUTE      candidate for the policy
 * u/KEY             when this API key was last used
 * l/LIST            address list  x/LIST           its entries
 * n/LIST/EDGE/ROUTE a policy that names this list
 * f/REVISION        record of the fleet's log that was taken
 * !layout !version !keys !owner  numbers and the running supervisor
 * !fleet !member    where the machine stands in its fleet
 * !k/KEY            API key of a machine in a fleet that stays on it
 * ```
 * What holds documents is *primary*; `h/`, `m/` and `n/` follow from them (`indexes.ts`); the rest is this machine's own. The
 * value of `u/` is the time itself, that of `n/` tells nothing. A document's value is its digest, 22 characters, then its
 * JSON: the etag and a checksum in one. The entries of an address list stand beside it, since they may have megabytes and
 * most who read the list want to know its name and their number; it has their digest.
 *
 * Address lists came with layout 2. A store gets that number with its first list, and so can be opened by builds that
 * know layout 1 alone until then. Layout 3 is that of a machine in a fleet, so that a build that knows no fleets does not
 * write past its log; a machine that leaves gets the number that its documents need (`membership.ts`). Layout 4 came with
 * versions of policies and candidates for them, and a store gets it with the first of these.
 */
import { hash } from "node:crypto";
import { LIMITS } from "../limits/limits.ts";
import type { KeyRange, Reads, Writes } from "./lmdb/database.ts";
import type { Stored } from "./store.ts";
import { StoreError } from "./store-error.ts";

/** What this build reads: up to this number. */
export const LAYOUT = 4;

const FIRST_LAYOUT = 1;
export const FLEET_LAYOUT = 3;
/** versions of policies, and candidates for them */
export const LAYOUT_WITH_SECOND_POLICIES = 4;

/** Where documents lie, in the order of keys: how many ids stand in a key, and the layout that the kind came with. */
const PRIMARY: Readonly<Record<string, { readonly ids: number; readonly layout: number }>> = {
	"c/": { ids: 2, layout: LAYOUT_WITH_SECOND_POLICIES },
	"e/": { ids: 1, layout: 1 },
	"k/": { ids: 1, layout: 1 },
	"l/": { ids: 1, layout: 2 },
	"p/": { ids: 2, layout: 1 },
	"r/": { ids: 2, layout: 1 },
	"v/": { ids: 3, layout: LAYOUT_WITH_SECOND_POLICIES },
	"x/": { ids: 1, layout: 2 },
};

export const PRIMARY_PREFIXES: readonly string[] = Object.keys(PRIMARY);

const IDS = new RegExp(`^(?:[A-Za-z0-9_.-]{1,${LIMITS.idCharacters}}/)+$`);

/** How many ids there are behind the prefix of a primary key or of a range of them; 0: it is none. */
function idsIn(key: string): number {
	const kind = PRIMARY[key.slice(0, 2)];
	const ids = key.slice(2);
	if (kind === undefined || !IDS.test(ids.endsWith("/") ? ids : `${ids}/`)) return 0;
	const count = ids.split("/").length;
	return count <= kind.ids ? count : 0;
}

/** Whether a document may have this key. */
export const isPrimaryKey = (key: string): boolean =>
	!key.endsWith("/") && idsIn(key) === PRIMARY[key.slice(0, 2)]?.ids;

/** Whether keys of documents may begin so, all of one edge or route: `r/EDGE/`, `v/EDGE/ROUTE/`. */
export const isPrimaryRange = (prefix: string): boolean =>
	prefix.endsWith("/") && idsIn(prefix) > 1;

/** LMDB counts all of a range, whatever the limit. */
export const isAnyUnder = (reads: Reads, prefix: string): boolean => hasAny(reads, under(prefix));

function hasAny(reads: Reads, range: KeyRange): boolean {
	for (const _ of reads.keys({ ...range, limit: 1 })) return true;
	return false;
}

/** The lowest number that fits the documents that there are. */
export const layoutOfContent = (reads: Reads): number =>
	Math.max(
		...Object.entries(PRIMARY).map(([prefix, { layout }]) =>
			isAnyUnder(reads, prefix) ? layout : FIRST_LAYOUT,
		),
	);

const LAYOUT_KEY = "!layout";
const VERSION_KEY = "!version";
const KEYS_REVISION_KEY = "!keys";
export const OWNER_KEY = "!owner";

export const edgeKey = (edgeId: string): string => `e/${edgeId}`;
export const routeKey = (edgeId: string, routeId: string): string => `r/${edgeId}/${routeId}`;
export const policyKey = (edgeId: string, routeId: string): string => `p/${edgeId}/${routeId}`;
/** All versions of a route's policy; of an edge's without `routeId`. */
export const versionsUnder = (edgeId: string, routeId?: string): string =>
	routeId === undefined ? `v/${edgeId}/` : `v/${edgeId}/${routeId}/`;
/** Whether it is that of a version, or what some begin with. */
export const isVersion = (key: string): boolean => key.startsWith("v/");
/** Whether it is that of a candidate, or what some begin with. */
export const isCandidate = (key: string): boolean => key.startsWith("c/");
export const candidateKey = (edgeId: string, routeId: string): string => `c/${edgeId}/${routeId}`;
export const hostportKey = (canonical: string): string => `h/${canonical}`;
export const matchKey = (edgeId: string, match: string): string => `m/${edgeId}/${digest(match)}`;
export const apiKeyKey = (id: string): string => `k/${id}`;
/** In a fleet: a key that stays on this machine. */
export const localKeyKey = (id: string): string => `${LOCAL_KEYS}${id}`;
export const LOCAL_KEYS = "!k/";
export const keyUseKey = (id: string): string => `u/${id}`;
export const listKey = (id: string): string => `l/${id}`;
export const listEntriesKey = (id: string): string => `x/${id}`;
export const listUseKey = (id: string, edgeId: string, routeId: string): string =>
	`n/${id}/${edgeId}/${routeId}`;

/** All keys that begin with `prefix`, which ends in `/`; `0` is the character after `/`. */
export function under(prefix: string, above = "", below?: string): KeyRange {
	return { start: prefix + above, end: below === undefined ? after(prefix) : prefix + below };
}

const after = (prefix: string): string => `${prefix.slice(0, -1)}0`;

/** All there is, in the order of keys. */
export const EVERYTHING: KeyRange = { start: " ", end: "\u{10ffff}" };

/** The digest that a document's value begins with. */
export const markOf = (value: string): string => value.slice(0, DIGEST_CHARACTERS);

/** The etag of a document's value, as a text of its own: a part of the value would keep all of it. */
export function etagOf(value: string): string {
	if (value.length < DIGEST_CHARACTERS) return `"${value}"`;
	ETAG.write(value, 1, DIGEST_CHARACTERS, "latin1");
	return ETAG.toString("latin1");
}

/** The JSON of a document's value. */
export const jsonOf = (value: string): string => value.slice(DIGEST_CHARACTERS);

/** Whether a document's value fits its digest. */
export const isSound = (value: string): boolean => digest(jsonOf(value)) === markOf(value);

/** The last part of a key. */
export const idOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

const DIGEST_CHARACTERS = 22;
/** written over by each `etagOf` */
const ETAG = Buffer.from(`"${"-".repeat(DIGEST_CHARACTERS)}"`);

const digest = (text: string): string =>
	hash("sha256", text, "base64url").slice(0, DIGEST_CHARACTERS);

/** Of what is answered and not stored as it is: as a document's that has this JSON. */
export const etagOfJson = (json: string): string => `"${digest(json)}"`;

/** A document, and the value that it is stored as. */
export interface Encoded<T> {
	readonly value: string;
	readonly stored: Stored<T>;
}

export function encode<T>(document: T): Encoded<T> {
	const json = JSON.stringify(document);
	const mark = digest(json);
	return { value: mark + json, stored: { document, etag: `"${mark}"` } };
}

/** Trusts the digest: for iterations over everything. The value was written by `encode` of a `T`. */
export const decodeDocument = <T>(value: string): T => JSON.parse(jsonOf(value)) as T;

/** @throws StoreError the digest does not fit: the file is damaged */
export function decode<T>(value: string, key: string): Stored<T> {
	assertSound(value, key);
	return { document: decodeDocument<T>(value), etag: etagOf(value) };
}

export function assertSound(value: string, key: string): void {
	if (isSound(value)) return;
	throw new StoreError(
		`the store is damaged: the content of ${key} does not fit its digest; restore it from a backup (weir restore --force)`,
		{ damaged: true },
	);
}

/** Grows by one with each change of a document; for metrics, and for people who compare copies of a store. */
export const versionOf = (reads: Reads): number => Number(reads.get(VERSION_KEY) ?? "0");

export const bumpVersion = (writes: Writes, by = 1): void =>
	writes.put(VERSION_KEY, String(versionOf(writes) + by));

/** Grows by one with each API key added or revoked. */
export const keysRevisionOf = (reads: Reads): number => Number(reads.get(KEYS_REVISION_KEY) ?? "0");
export const bumpKeysRevision = (writes: Writes, by = 1): void =>
	writes.put(KEYS_REVISION_KEY, String(keysRevisionOf(writes) + by));

/** Of a store that passes `assertLayout`. */
export const layoutOf = (reads: Reads): number => Number(reads.get(LAYOUT_KEY));

/** From now on builds that know this number alone may open the store. */
export const setLayout = (writes: Writes, layout: number): void =>
	writes.put(LAYOUT_KEY, String(layout));

/** As `setLayout`; never goes back. */
export function raiseLayout(writes: Writes, layout: number): void {
	if (layoutOf(writes) < layout) setLayout(writes, layout);
}

/** @throws StoreError the folder holds something else, or the layout of another version of weir */
export function assertLayout(reads: Reads, directory: string): void {
	const found = reads.get(LAYOUT_KEY);
	if (found !== undefined && /^[1-9]$/.test(found) && Number(found) <= LAYOUT) return;
	if (found === undefined) {
		throw new StoreError(`${directory} holds an LMDB file that weir has not written`);
	}
	throw new StoreError(
		`the store in ${directory} has layout ${found}; this version of weir reads layouts up to ${LAYOUT} only`,
	);
}

/** A map with nothing in it becomes a store; any other must be one already. */
export function claimLayout(writes: Writes, directory: string): void {
	// LMDB's count is of the whole range, whatever its limit
	const isEmpty = !hasAny(writes, EVERYTHING);
	if (isEmpty) setLayout(writes, FIRST_LAYOUT);
	else assertLayout(writes, directory);
}
