/** The supervisor that takes over, towards one that runs: a server of this test in its place. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sendDescriptors } from "../../../src/process/handover/descriptors.ts";
import { NOTHING_COUNTED } from "../../../src/process/handover/handed-counts.ts";
import { HANDOVER, type Offer } from "../../../src/process/handover/protocol.ts";
import { Predecessor } from "../../../src/process/handover/taker.ts";
import { until } from "../../e2e/harness.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { heard } from "./conversation.ts";

const GROUP = {
	...{ address: "127.0.0.1", port: 8080, count: 2, order: [0, 1], led: "" },
	...{ canLead: true, isFixed: false },
};

const offerOf = (pid: number): Offer => ({
	...{ pid, version: "1.0.0", leaving: [], groups: [GROUP], hasManagement: true },
	listen: [{ host: "127.0.0.1", port: 8080 }],
	managementAddress: { host: "127.0.0.1", port: 4040 },
	tickets: { secrets: { seal: "a", open: "b" }, ageMs: 5 },
	counters: null,
});

interface Running {
	readonly folder: string;
	/** what it has been told */
	lines: unknown[];
	socket: Socket | undefined;
	say(value: unknown): void;
}

/** @param answer what it answers the first line with, at once */
async function running(answer: (folder: string) => unknown): Promise<Running> {
	const folder = temporaryFolder();
	const state: Running = {
		folder,
		lines: [],
		socket: undefined,
		say: (value) => void state.socket?.write(`${JSON.stringify(value)}\n`),
	};
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		state.socket = socket;
		state.lines = heard(socket).lines;
		socket.once("data", () => state.say(answer(folder)));
		socket.on("end", () => socket.end());
	}).listen(join(folder, "control.sock"));
	onTestFinished(() => {
		state.socket?.destroy();
		server.close();
	});
	await once(server, "listening");
	return state;
}

/** As a supervisor does: descriptors first. */
const handsOver =
	(pid = process.pid, count = 3) =>
	(folder: string) => {
		sendDescriptors(
			folder,
			process.pid,
			Array.from({ length: count }, () => 0),
		);
		return { value: offerOf(pid) };
	};

async function take(server: Running, onGiveUp: (reason: string) => void = () => {}) {
	const before = await Predecessor.ask(server.folder, onGiveUp);
	if (before === undefined) throw new Error("nobody was found");
	const { groups, management = -1 } = before.given;
	onTestFinished(() => {
		for (const each of [...groups.flatMap(({ descriptors }) => descriptors), management])
			closeSync(each);
	});
	return before;
}

it("nobody there is no mistake", async () => {
	expect(await Predecessor.ask(temporaryFolder(), () => {})).toBeUndefined();
});

it("gets sockets and secrets, and everything once it is ready; what is counted later comes at the end", async () => {
	const server = await running(handsOver());
	const before = await take(server);
	expect(before.offer.tickets.ageMs).toBe(5);
	expect(before.given.groups[0]?.descriptors).toHaveLength(2);
	expect(before.given.management).toEqual(expect.any(Number));
	expect(server.lines[0]).toMatchObject({ do: "takeover", handover: HANDOVER, pid: process.pid });

	const ready = before.ready();
	await until(() => server.lines.length === 2 || undefined, "its word");
	server.say({ say: "yours", metrics: { weir_retries: 3 } });
	expect(await ready).toMatchObject({ metrics: { weir_retries: 3 }, traffic: {}, limits: {} });

	const published = before.publish([{ kind: "edge", edgeId: "e" }]);
	await until(() => server.lines.length === 3 || undefined, "the change");
	expect(server.lines[2]).toEqual({
		...{ say: "apply", id: 1 },
		changes: [{ kind: "edge", edgeId: "e" }],
	});
	server.say({ say: "applied", id: 1 });
	await published;

	const last = before.publish([]);
	const since = { metrics: { weir_retries: 2 }, traffic: { "requests\ne\nr\n2xx": 1 }, limits: {} };
	server.say({ say: "ended", ...since });
	server.socket?.end();
	expect(await before.gone).toMatchObject(since);
	await last;
	await before.publish([]);
});

it("counters that can't be read are lost, and nothing else", async () => {
	const server = await running(handsOver());
	const reasons: string[] = [];
	const before = await take(server, (reason) => reasons.push(reason));
	const ready = before.ready();
	server.say({ say: "yours", metrics: { weir_retries: null } });
	expect(await ready).toEqual({ say: "yours", ...NOTHING_COUNTED });
	server.socket?.end();
	expect(await before.gone).toEqual(NOTHING_COUNTED);
	expect(reasons).toEqual([]);
});

it.each([
	[
		"refuses",
		{ error: "it is being upgraded" },
		"the weir that runs goes on: it is being upgraded",
	],
	["gives up at once", { say: "gave up", reason: "no room" }, "goes on: no room"],
	["says what nobody understands", { value: { pid: 1 } }, "can't be read"],
])("one that %s is told of in a sentence", async (_name, answer, sentence) => {
	const server = await running(() => answer);
	await expect(Predecessor.ask(server.folder, () => {})).rejects.toThrow(sentence);
});

it("sockets that did not come are a mistake", async () => {
	const server = await running(handsOver(process.pid, 2));
	await expect(Predecessor.ask(server.folder, () => {})).rejects.toThrow(
		"2 listening sockets came of 3",
	);
});

it("one that goes on after all is heard; failing is said to it", async () => {
	const server = await running(handsOver());
	const reasons: string[] = [];
	const before = await take(server, (reason) => reasons.push(reason));
	server.say({ say: "gave up", reason: "too slow" });
	await until(() => reasons.length > 0 || undefined, "its reason");
	await before.failed("no port");
	await until(() => server.lines.length === 2 || undefined, "ours");
	expect(server.lines[1]).toEqual({ say: "failed", reason: "no port" });
	expect(reasons).toEqual(["too slow"]);
});

it("one that does not answer although everything serves is ended", async () => {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
	onTestFinished(() => void child.kill("SIGKILL"));
	const exit = once(child, "exit");
	const server = await running(handsOver(child.pid));
	const before = await take(server);
	const ready = before.ready(50);
	expect(await exit).toEqual([null, "SIGKILL"]);
	server.socket?.destroy();
	expect(await ready).toEqual(NOTHING_COUNTED);
});

it("one that is killed has handed over", async () => {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
	onTestFinished(() => void child.kill("SIGKILL"));
	const server = await running(handsOver(child.pid));
	const reasons: string[] = [];
	const before = await take(server, (reason) => reasons.push(reason));
	const ready = before.ready();
	child.kill("SIGKILL");
	server.socket?.destroy();
	expect(await ready).toEqual(NOTHING_COUNTED);
	expect(await before.ready()).toEqual(NOTHING_COUNTED);
	expect(reasons).toEqual([]);
});
