/** What the control socket answers, refuses and gives up on; that nobody waits for one who stands still. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ControlServer } from "../../../src/process/control/server.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { say, startControlled, storedKey } from "./control.ts";

describe("requests", () => {
	it("add, list and revoke keys", async () => {
		const { folder, store } = await startControlled();
		const key = storedKey("key_a");
		const add = JSON.stringify({ do: "add-key", key });
		expect(await say(folder, `${add}\n`)).toBe('{"value":null}\n');
		expect(store.keys()).toEqual([key]);
		expect(JSON.parse(await say(folder, '{"do":"list-keys"}\n'))).toEqual({ value: [key] });
		const revoke = '{"do":"revoke-key","id":"key_a"}\n';
		expect(await say(folder, revoke)).toBe('{"value":true}\n');
		expect(await say(folder, revoke)).toBe('{"value":false}\n');
		expect(store.keys()).toEqual([]);
	});

	it.each([
		["no JSON", "nonsense\n"],
		["nothing known", '{"do":"stop"}\n'],
		["more than is known", '{"do":"list-keys","also":1}\n'],
		["a key without a hash", '{"do":"add-key","key":{"id":"key_a"}}\n'],
		["an empty line", "\n"],
	])("%s is refused", async (_name, text) => {
		const { folder, store } = await startControlled();
		expect(JSON.parse(await say(folder, text))).toEqual({
			error: expect.stringContaining("doesn't know this request"),
		});
		expect(store.keys()).toEqual([]);
	});

	it("what the store refuses is said", async () => {
		const { folder, store } = await startControlled();
		await Promise.all(
			Array.from({ length: LIMITS.apiKeys }, (_, index) => store.addKey(storedKey(`key_${index}`))),
		);
		const add = JSON.stringify({ do: "add-key", key: storedKey("key_more") });
		expect(JSON.parse(await say(folder, `${add}\n`))).toEqual({
			error: expect.stringContaining("revoke some first"),
		});
	});

	it("a line that does not end is dropped", async () => {
		const { folder } = await startControlled();
		expect(await say(folder, "x".repeat(10 * LIMITS.controlLineBytes))).toBe("");
	});

	it("one who stands still in the middle of his line holds nobody up", async () => {
		const { folder, store } = await startControlled();
		const idle = connect(join(folder, "control.sock"));
		onTestFinished(() => void idle.destroy());
		await new Promise((resolve) => idle.write('{"do":"li', resolve));
		expect(await say(folder, '{"do":"list-keys"}\n')).toBe('{"value":[]}\n');
		await store.addKey(storedKey("key_a"));
		expect(store.keys()).toHaveLength(1);
	});
});

describe("a supervisor that can be replaced", () => {
	const ask = (folder: string, request: object): Promise<string> =>
		say(folder, `${JSON.stringify(request)}\n`);
	const upgrade = { do: "upgrade", node: "/usr/bin/node", main: "/opt/weir/dist/main.js" };

	it("is asked for an upgrade, and answers when it is over", async () => {
		const asked: object[] = [];
		let outcome = async (): Promise<unknown> => ({ pid: 4711, version: "2.0.0" });
		const { folder } = await startControlled(temporaryFolder(), {
			upgrade: (program) => {
				asked.push(program);
				return outcome();
			},
			begin: async () => {},
		});
		expect(JSON.parse(await ask(folder, upgrade))).toEqual({
			value: { pid: 4711, version: "2.0.0" },
		});
		expect(asked).toEqual([upgrade]);
		outcome = () => Promise.reject(new Error("not upgraded: no port"));
		expect(JSON.parse(await ask(folder, upgrade))).toEqual({ error: "not upgraded: no port" });
	});

	it("goes on talking to one that takes over, of whatever version", async () => {
		const begun: object[] = [];
		const { folder } = await startControlled(temporaryFolder(), {
			upgrade: async () => ({}),
			begin: async (request, socket) => {
				begun.push(request);
				socket.end("it talks\n");
			},
		});
		const request = { do: "takeover", handover: 9, pid: 1, version: "9.0.0", more: true };
		expect(await ask(folder, request)).toBe("it talks\n");
		expect(begun).toEqual([{ do: "takeover", handover: 9, pid: 1, version: "9.0.0" }]);
	});

	it("is not every server", async () => {
		const { folder } = await startControlled();
		for (const request of [upgrade, { do: "takeover", handover: 1, pid: 1, version: "1.0.0" }])
			expect(JSON.parse(await ask(folder, request))).toEqual({
				error: expect.stringContaining("doesn't know this request"),
			});
	});
});

it("who has not asked by the end is not listened to any more, the store being closed", async () => {
	const { folder, server, store } = await startControlled();
	const late = connect(join(folder, "control.sock"));
	const gone = new Promise((resolve) => late.once("close", resolve));
	late.on("error", () => {});
	await new Promise((resolve) => late.write('{"do":"list-', resolve));
	// Answered behind it, so the half line has arrived.
	await say(folder, '{"do":"list-keys"}\n');
	server.close();
	await store.close();
	late.write('keys"}\n');
	await gone;
	expect(late.bytesRead).toBe(0);
});

describe("the socket", () => {
	it("is for its user alone, and gone when it is closed", async () => {
		const { folder, server } = await startControlled();
		const path = join(folder, "control.sock");
		expect(statSync(path).mode & 0o777).toBe(0o600);
		server.close();
		server.close();
		expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
	});

	it("takes the place of what was left behind", async () => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, "control.sock"), "");
		await startControlled(folder);
		expect(await say(folder, '{"do":"list-keys"}\n')).toBe('{"value":[]}\n');
	});

	it("is refused where it can't be made", async () => {
		const folder = temporaryFolder();
		mkdirSync(join(folder, "control.sock"));
		const store = openStore(folder);
		onTestFinished(() => store.close());
		await expect(ControlServer.open(folder, store)).rejects.toThrow();
	});
});
