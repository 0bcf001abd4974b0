/** Who writes keys: a server that runs, this process where none does, and nobody where one can't be asked. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { withKeys } from "../../../src/process/control/keys.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { startControlled, storedKey } from "./control.ts";

it("asks the server that runs", async () => {
	const { folder, store } = await startControlled();
	await withKeys(folder, (keys) => keys.addKey(storedKey("key_a")));
	expect(store.keys()).toHaveLength(1);
	expect(await withKeys(folder, async (keys) => keys.keys())).toEqual(store.keys());
});

it("works on the folder itself where none runs", async () => {
	const folder = temporaryFolder();
	await openStore(folder).close();
	await withKeys(folder, (keys) => keys.addKey(storedKey("key_a")));
	expect(await withKeys(folder, async (keys) => keys.keys())).toHaveLength(1);
	const store = openStore(folder);
	onTestFinished(() => store.close());
	expect(store.keys()).toHaveLength(1);
});

it("makes no store where there is none, in a folder or without one", async () => {
	for (const folder of [temporaryFolder(), join(temporaryFolder(), "missing")]) {
		const attempt = withKeys(folder, (keys) => keys.addKey(storedKey("key_a")));
		await expect(attempt).rejects.toThrow(`there is no store in ${folder}`);
		expect(existsSync(join(folder, "data.mdb"))).toBe(false);
	}
});

it("writes nothing beside a server that can't be asked", async () => {
	const { folder, store, server } = await startControlled();
	server.close();
	const attempt = withKeys(folder, (keys) => keys.addKey(storedKey("key_a")), 0);
	await expect(attempt).rejects.toThrow(`process ${process.pid}`);
	expect(store.keys()).toEqual([]);
});

it("waits for a server that is just starting", async () => {
	const folder = temporaryFolder();
	const store = openStore(folder);
	onTestFinished(() => store.close());
	let tries = 0;
	const attempt = withKeys(folder, async (keys) => {
		if (++tries === 2) await startListening();
		return keys.addKey(storedKey("key_a"));
	});
	const { ControlServer } = await import("../../../src/process/control/server.ts");
	const startListening = async () => {
		const server = await ControlServer.open(folder, store);
		onTestFinished(() => server.close());
	};
	await attempt;
	expect(store.keys()).toHaveLength(1);
});
