/** What a command hears: the answer, the server's refusal, or that there is no server. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ControlClient, NoServerError } from "../../../src/process/control/client.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { startControlled, storedKey } from "./control.ts";

it("works on the server's store, also below a long path", async () => {
	const folder = join(temporaryFolder(), "x".repeat(200));
	mkdirSync(folder);
	const { store } = await startControlled(folder);
	const client = new ControlClient(folder);
	const expiresAt = "2027-01-01T00:00:00.000Z";
	await client.addKey({ ...storedKey("key_a"), role: "metrics", expiresAt });
	store.noteKeyUse("key_a", Date.now());
	expect(await client.keys()).toMatchObject([{ role: "metrics", expiresAt }]);
	expect(await client.keys()).toEqual(store.keys());
	expect(await client.revokeKey("key_a")).toBe(true);
	expect(await client.revokeKey("key_a")).toBe(false);
	expect(store.keys()).toEqual([]);
});

it("passes the server's refusal on", async () => {
	const { folder } = await startControlled();
	const key = { ...storedKey("key_a"), hash: "none" };
	await expect(new ControlClient(folder).addKey(key)).rejects.toThrow(/another version/);
});

it("says that there is no server", async () => {
	const { folder, server } = await startControlled();
	server.close();
	for (const place of [folder, join(folder, "missing"), join(folder, "missing".repeat(20))])
		await expect(new ControlClient(place).keys()).rejects.toThrow(NoServerError);
	expect(await new ControlClient(folder).hasServer()).toBe(false);
});

it("tells a server that is there, even one that stands still, from none", async () => {
	const { folder } = await startControlled();
	expect(await new ControlClient(folder).hasServer()).toBe(true);
	const silent = temporaryFolder();
	const server = createServer(() => {});
	await new Promise<void>((resolve) => server.listen(join(silent, "control.sock"), resolve));
	onTestFinished(() => void server.close());
	expect(await new ControlClient(silent, 20).hasServer()).toBe(true);
});

it("does not wait for ever for a server that stands still", async () => {
	const folder = temporaryFolder();
	const server = createServer(() => {});
	await new Promise<void>((resolve) => server.listen(join(folder, "control.sock"), resolve));
	onTestFinished(() => void server.close());
	const attempt = new ControlClient(folder, 20).keys();
	await expect(attempt).rejects.toThrow(/does not answer/);
});

it("says that a server is of another version", async () => {
	const folder = temporaryFolder();
	const { name, role, ...older } = { ...storedKey("key_a"), description: "" };
	const answer = `${JSON.stringify({ value: [older] })}\n`;
	const server = createServer((socket) => socket.on("data", () => socket.end(answer)));
	await new Promise<void>((resolve) => server.listen(join(folder, "control.sock"), resolve));
	onTestFinished(() => void server.close());
	await expect(new ControlClient(folder).keys()).rejects.toThrow(/is it another version\?/);
});

it("says that a server ended without an answer", async () => {
	const folder = temporaryFolder();
	const server = createServer((socket) => socket.destroy());
	await new Promise<void>((resolve) => server.listen(join(folder, "control.sock"), resolve));
	onTestFinished(() => void server.close());
	await expect(new ControlClient(folder).keys()).rejects.toThrow(/the server/);
});
