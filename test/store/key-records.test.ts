/** Records of keys: those of builds without roles are read, and such builds refuse keys that are limited. */
import { expect, it, onTestFinished } from "vitest";
import { encodeKey, keysIn } from "../../src/store/key-records.ts";
import { apiKeyKey, decodeDocument, encode } from "../../src/store/layout.ts";
import { Database } from "../../src/store/lmdb/database.ts";
import type { StoredKey } from "../../src/store/store.ts";
import { temporaryFolder } from "./folder.ts";

const HASH = "0123456789abcdef".repeat(4);

const key = (id: string, more: Partial<StoredKey> = {}): StoredKey => ({
	...{ id, name: "for tests", role: "admin", hash: HASH, createdAt: `2026-01-01T00:00:00Z${id}` },
	...more,
});

function keysOf(values: Readonly<Record<string, string>>): readonly StoredKey[] {
	const database = Database.open(temporaryFolder(), { readOnly: false });
	onTestFinished(() => database.close());
	database.commit((writes) => {
		for (const [id, value] of Object.entries(values)) writes.put(apiKeyKey(id), value);
	});
	database.refresh();
	return keysIn(database);
}

it("reads what it wrote", () => {
	const keys = [
		key("a"),
		key("b", { role: "read" }),
		key("c", { role: "metrics", expiresAt: "2027-01-01T00:00:00.000Z" }),
	];
	expect(keysOf(Object.fromEntries(keys.map((each) => [each.id, encodeKey(each)])))).toEqual(keys);
});

it("a record without a role is that of a key that may do everything", () => {
	const record = { id: "old", description: "before roles", hash: HASH, createdAt: "2025-01-01" };
	expect(keysOf({ old: encode(record).value })).toEqual([
		{ id: "old", name: "before roles", role: "admin", hash: HASH, createdAt: "2025-01-01" },
	]);
});

it.each([
	["an admin's key", {}, 32],
	["one that expires", { expiresAt: "2027-01-01T00:00:00.000Z" }, 0],
	["one that may read", { role: "read" as const }, 0],
	["one for metrics", { role: "metrics" as const }, 0],
])("a build without roles knows of %s", (_name, more, bytes) => {
	const { hash } = decodeDocument<{ hash: string }>(encodeKey(key("a", more)));
	expect(Buffer.from(hash, "hex")).toHaveLength(bytes);
});
