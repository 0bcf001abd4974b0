/** What `weir keys list` shows of keys, to people and to programs. */
import { expect, it } from "vitest";
import { keyJson, keyTable } from "../../../src/process/commands/key-list.ts";
import type { StoredKey } from "../../../src/store/store.ts";

const NOW = Date.parse("2027-01-01T00:00:00.000Z");
const createdAt = "2026-11-22T17:01:59.123Z";
const hash = "0123456789abcdef".repeat(4);

const keys: readonly StoredKey[] = [
	{ id: "key_1", name: "first of all", role: "admin", hash, createdAt },
	{
		...{ id: "key_22", name: "", role: "metrics", hash, createdAt },
		...{ expiresAt: "2027-01-01T00:00:00.000Z", lastUsedAt: "2026-12-01T08:30:00.000Z" },
	},
	{
		...{ id: "key_3", name: "a\u001b[2Jb\n", role: "read", hash, createdAt },
		expiresAt: "2027-01-01T00:00:00.001Z",
	},
];

it("is a table whose columns stand below each other", () => {
	expect(keyTable(keys, true, NOW)).toBe(
		[
			"ID      ROLE     CREATED            LAST USED          EXPIRES                      NAME",
			"key_1   admin    2026-11-22T17:01Z  never              never                        first of all",
			"key_22  metrics  2026-11-22T17:01Z  2026-12-01T08:30Z  2027-01-01T00:00Z (expired)",
			"key_3   read     2026-11-22T17:01Z  never              2027-01-01T00:00Z            a?[2Jb?",
			"",
		].join("\n"),
	);
});

it("has no header for programs, and nothing where there is no key", () => {
	expect(keyTable(keys.slice(0, 1), false, NOW)).toBe(
		"key_1  admin  2026-11-22T17:01Z  never  never  first of all\n",
	);
	expect(keyTable([], false, NOW)).toBe("");
	expect(keyTable([], true, NOW)).toBe("ID  ROLE  CREATED  LAST USED  EXPIRES  NAME\n");
});

it("as JSON tells everything but the hash", () => {
	expect(keyJson(keys)).not.toContain(hash);
	const [first, second] = JSON.parse(keyJson(keys));
	expect(first).toEqual({
		...{ id: "key_1", name: "first of all", role: "admin", created_at: createdAt },
		...{ last_used_at: null, expires_at: null },
	});
	expect(second).toMatchObject({
		...{ last_used_at: "2026-12-01T08:30:00.000Z", expires_at: "2027-01-01T00:00:00.000Z" },
	});
	expect(keyJson([])).toBe("[]\n");
});
