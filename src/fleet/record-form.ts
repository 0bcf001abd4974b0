/**
 * Whether operations of a record are such as some weir may have written (docs/fleet.md, "Security"): keys, digests, and as
 * much of a document's form as whoever reads it without a further look takes for granted. What is not is void for every
 * member alike. Used by `record-codec.ts`; by `staging.ts` for entries of a snapshot.
 */
import { isTooDeep } from "../documents/json.ts";
import { hasUnpairedSurrogate } from "../documents/text.ts";
import { indexEntries } from "../store/indexes.ts";
import { isPrimaryKey, isPrimaryRange, isSound, jsonOf } from "../store/layout.ts";
import type { Operation } from "./record.ts";

export function operationOf(value: unknown): Operation | undefined {
	if (!Array.isArray(value)) return undefined;
	const [kind, key, text, ...more] = value as readonly unknown[];
	if (typeof key !== "string" || more.length > 0) return undefined;
	if (kind === "put") {
		return typeof text === "string" && isEntry(key, text) ? ["put", key, text] : undefined;
	}
	if (value.length !== 2) return undefined;
	if (kind === "delete") return isPrimaryKey(key) ? ["delete", key] : undefined;
	return kind === "delete-range" && isPrimaryRange(key) ? ["delete-range", key] : undefined;
}

/** Whether a document may lie so in the store. */
export function isEntry(key: string, value: string): boolean {
	if (!isPrimaryKey(key) || !isSound(value) || hasUnpairedSurrogate(value)) return false;
	const json = jsonOf(value);
	if (isTooDeep(json)) return false;
	try {
		return hasForm(key, JSON.parse(json));
	} catch {
		return false;
	}
}

/** Characters of a key of the store: LMDB's bound is 1978 bytes. */
const INDEX_KEY_CHARACTERS = 600;

/** @throws Error its form is another */
function hasForm(key: string, document: unknown): boolean {
	const kind = key.slice(0, 2);
	if (kind === "x/") return typeof document === "string";
	if (typeof document !== "object" || document === null) return false;
	const fields = document as Readonly<Record<string, unknown>>;
	const areTexts = (...names: string[]) => names.every((name) => typeof fields[name] === "string");
	if (kind === "k/") return areTexts("id", "description", "hash", "createdAt");
	if (kind === "v/") return areTexts("mark", "text") && Number.isInteger(fields.size);
	if (kind === "l/") return areTexts("description", "entries") && Number.isInteger(fields.count);
	if (kind === "e/" && !areAllTexts(fields.hostports)) return false;
	if (kind === "r/" && !areTexts("match")) return false;
	for (const entry of indexEntries(key, document).keys()) {
		if (entry.length > INDEX_KEY_CHARACTERS || hasUnpairedSurrogate(entry)) return false;
	}
	return true;
}

const areAllTexts = (value: unknown): boolean =>
	Array.isArray(value) && value.every((text) => typeof text === "string");
