/** Keys are random, shown once, and kept as a hash that the shown key fits. */
import { hash } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { createApiKey } from "../../src/management/api-keys.ts";
import { openKeyStore } from "../../src/store/open.ts";
import { temporaryFolder } from "../store/folder.ts";

it("creates keys without keeping them", async () => {
	const store = openKeyStore(temporaryFolder());
	onTestFinished(() => store.close());
	const first = await createApiKey(store, "ci");
	const second = await createApiKey(store, "x".repeat(1000));
	expect(first.key).toMatch(/^weir_[\w-]{43}$/);
	expect(first.id).toMatch(/^key_[\w-]{12}$/);
	expect(second.key).not.toBe(first.key);
	expect(store.keys().find(({ id }) => id === first.id)?.hash).toBe(
		hash("sha256", first.key, "hex"),
	);
	expect(JSON.stringify(store.keys())).not.toContain(first.key);
	expect(
		store
			.keys()
			.map(({ name }) => name)
			.sort(),
	).toEqual(["ci", "x".repeat(255)]);
});
