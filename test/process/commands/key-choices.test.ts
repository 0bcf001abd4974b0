/** Flags of `weir keys`, and which key a word means. */
import { describe, expect, it } from "vitest";
import { chosenKey, strayFlag, wantedKey } from "../../../src/process/commands/key-choices.ts";
import type { StoredKey } from "../../../src/store/store.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");

describe("wantedKey", () => {
	it("may do everything for ever where nothing else is said", () => {
		const value = { name: "", role: "admin", isLocal: false, expiresAt: undefined };
		expect(wantedKey({}, NOW)).toEqual({ ok: true, value });
	});

	it("takes name, role and end; --description is a name, too", () => {
		const value = {
			...{ name: "ci", role: "read", isLocal: true },
			expiresAt: "2026-11-23T12:00:00.000Z",
		};
		expect(wantedKey({ name: "ci", role: "read", local: true, expires: "1d" }, NOW)).toEqual({
			ok: true,
			value,
		});
		expect(wantedKey({ description: "ci", role: "read", local: true, expires: "1d" }, NOW)).toEqual(
			{
				...{ ok: true, value },
			},
		);
	});

	it.each([
		[
			{ name: "a", description: "b" },
			"--description is the former name of --name; give one of them",
		],
		[{ name: "a\nb" }, "--name: at most 255 characters, without line breaks"],
		[{ name: "a\u202eb" }, "--name: at most 255 characters, without line breaks"],
		[{ description: "x".repeat(256) }, "--name: at most 255 characters"],
		[{ role: "reed" }, '--role: unknown role "reed"; did you mean "read"?'],
		[{ role: "ADMIN" }, "--role: unknown role"],
		[{ role: "root" }, '--role: unknown role "root"; valid: admin, read, metrics'],
		[{ expires: "soon" }, '--expires: "soon" is no span and no date'],
	])("%j is a mistake", (flags, sentence) => {
		expect(wantedKey(flags, NOW)).toMatchObject({
			...{ ok: false, error: expect.stringContaining(sentence) },
		});
	});
});

describe("strayFlag", () => {
	it.each([
		["list", { role: "read" }, "--role is for keys create, not for keys list"],
		["revoke", { expires: "1d" }, "--expires is for keys create, not for keys revoke"],
		["revoke", { json: true }, "--json is for keys create and keys list, not for keys revoke"],
	])("keys %s %j", (action, flags, sentence) => {
		expect(strayFlag(action, flags)).toBe(sentence);
	});

	it("lets those pass that an action takes, and those that all take", () => {
		const all = { name: "a", role: "read", expires: "1d", json: true };
		expect(strayFlag("create", { ...all, "data-dir": "x", config: "y" })).toBeUndefined();
		expect(strayFlag("list", { json: true, "data-dir": "x" })).toBeUndefined();
		expect(strayFlag("revoke", { config: "y" })).toBeUndefined();
	});
});

describe("chosenKey", () => {
	const key = (id: string, name: string): StoredKey => ({
		...{ id, name, role: "admin", hash: "", createdAt: "" },
	});
	const keys = [
		key("key_1", "ci"),
		key("key_2", "twin"),
		key("key_3", "twin"),
		key("key_4", "key_1"),
	];
	const idOf = (word: string) => {
		const chosen = chosenKey(keys, word);
		return chosen.ok ? chosen.value.id : chosen.error;
	};

	it("goes by id, then by a name that only one has", () => {
		expect(["key_1", "key_2", "ci"].map(idOf)).toEqual(["key_1", "key_2", "key_1"]);
	});

	it("says why it is none", () => {
		expect(idOf("twin")).toBe('2 keys have the name "twin": give the id of one, key_2, key_3');
		expect(idOf("c")).toBe('there is no key with the id or name "c"; weir keys list shows all');
	});
});
