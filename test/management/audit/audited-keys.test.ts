/** Keys that are created and revoked leave a line, with who they are and never what they are. */
import { expect, it, onTestFinished } from "vitest";
import { createApiKey } from "../../../src/management/api-keys.ts";
import { AuditedKeys } from "../../../src/management/audit/audited-keys.ts";
import { openStore } from "../../../src/store/open.ts";
import { StoreError } from "../../../src/store/store-error.ts";
import { temporaryFolder } from "../../store/folder.ts";

function audited() {
	const store = openStore(temporaryFolder());
	onTestFinished(() => store.close());
	const lines: object[] = [];
	const log = { audit: (fields: object) => void lines.push(JSON.parse(JSON.stringify(fields))) };
	return { store, lines, log, keys: new AuditedKeys(store, log, "control socket") };
}

it("says which key, of which name and role", async () => {
	const { keys, lines, store } = audited();
	const { id, key } = await createApiKey(keys, "of the\u009b deployment");
	expect(keys.keys()).toEqual(store.keys());
	expect(await keys.revokeKey(id)).toBe(true);
	expect(await keys.revokeKey(id)).toBe(false);
	const about = {
		via: "control socket",
		api_key: id,
		api_key_name: "of the\ufffd deployment",
		api_key_role: "admin",
	};
	expect(lines).toMatchObject([
		{ ...about, operation: "createKey", result: "created" },
		{ ...about, operation: "revokeKey", result: "deleted" },
		{ api_key: id, operation: "revokeKey", result: "refused", reason: "there is no such key" },
	]);
	expect(JSON.stringify(lines)).not.toContain(key);
	expect(JSON.stringify(lines)).not.toMatch(/[0-9a-f]{64}/);
});

it("says why a change failed, and passes it on", async () => {
	const { store, lines, log } = audited();
	const broken = {
		refresh: () => store.refresh(),
		keys: () => store.keys(),
		addKey: () => Promise.reject(new StoreError("no room")),
		revokeKey: () => Promise.reject(new StoreError("no room")),
	};
	const keys = new AuditedKeys(broken, log, "command");
	await expect(createApiKey(keys, "x")).rejects.toThrow("no room");
	await expect(keys.revokeKey("key_a")).rejects.toThrow("no room");
	expect(lines).toMatchObject([
		{ via: "command", operation: "createKey", result: "failed", reason: "no room" },
		{ via: "command", operation: "revokeKey", result: "failed", reason: "no room" },
	]);
});
