/**
 * The supervisor that runs, towards one that takes over: it gives everything, and takes it back whatever goes wrong
 * before the other one is ready. The other one is a process that sleeps, and a connection that this test speaks over.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Inbox } from "../../../src/process/handover/descriptors.ts";
import { type Estate, Giver } from "../../../src/process/handover/giver.ts";
import type { HandedCounts } from "../../../src/process/handover/handed-counts.ts";
import { HANDOVER, type Offer } from "../../../src/process/handover/protocol.ts";
import type { Change } from "../../../src/store/store.ts";
import { until } from "../../e2e/harness.ts";
import { recordedLog } from "../recorded-log.ts";
import { conversation, heard } from "./conversation.ts";

const OFFER: Offer = {
	...{ pid: 1, version: "1.0.0", leaving: [], groups: [], hasManagement: true, listen: [] },
	managementAddress: { host: "127.0.0.1", port: 4040 },
	tickets: { secrets: { seal: "a", open: "b" }, ageMs: 0 },
	counters: null,
};

function sleeping(): ChildProcess & { readonly pid: number } {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
	onTestFinished(() => void child.kill("SIGKILL"));
	return child as ChildProcess & { readonly pid: number };
}

const counted = (retries: number): HandedCounts => ({
	...{ metrics: { weir_retries: retries }, traffic: { "requests\ne\nr\n2xx": retries } },
	limits: {},
});

interface Scene {
	readonly giver: Giver;
	/** what was asked of the supervisor, in order */
	readonly calls: string[];
	readonly lines: unknown[];
	readonly log: ReturnType<typeof recordedLog>["lines"];
	readonly asking: Socket;
	readonly folder: string;
	readonly served: Socket;
	tell(value: unknown): void;
	/** begins for a process, this test's own if nothing else is said */
	begin(pid?: number, handover?: number): Promise<void>;
}

async function scene(more: Partial<Estate> = {}): Promise<Scene> {
	const ends = await conversation();
	const { log, lines: said } = recordedLog();
	const calls: string[] = [];
	const note =
		<T>(name: string, value: T) =>
		() => {
			calls.push(name);
			return value;
		};
	const estate: Estate = {
		folder: ends.folder,
		log,
		obstacle: () => undefined,
		release: note("release", Promise.resolve()),
		takeBack: note("take back", undefined),
		offer: note("offer", { offer: OFFER, descriptors: [0] }),
		letGo: (pid) => void calls.push(`let go for ${pid}`),
		counts: note("counts", Promise.resolve(counted(3))),
		publish: async (changes: readonly Change[]) => void calls.push(JSON.stringify(changes)),
		retire: note("retire", Promise.resolve(counted(2))),
		...more,
	};
	const giver = new Giver(estate, ["serve"], 50);
	return {
		...{ ...ends, giver, calls, lines: heard(ends.asking).lines, log: said },
		tell: (value) => void ends.asking.write(`${JSON.stringify(value)}\n`),
		begin: (pid = process.pid, handover = HANDOVER) =>
			giver.begin({ do: "takeover", pid, handover, version: "2.0.0" }, ends.served),
	};
}

/** The socket of the data folder that descriptors go to. */
function inbox(folder: string): Inbox {
	const made = new Inbox(folder);
	onTestFinished(() => made.close());
	return made;
}

it("gives up the store, hands over its sockets, and retires when the other one is ready", async () => {
	const { giver, calls, lines, tell, begin, folder } = await scene();
	const box = inbox(folder);
	await begin();
	await until(() => lines.length === 1 || undefined, "an offer");
	expect(lines).toEqual([{ value: OFFER }]);
	expect(box.take()).toHaveLength(1);
	expect(calls).toEqual(["release", "offer"]);
	expect(giver.isGone).toBe(false);
	tell({ say: "ready" });
	await giver.finished;
	expect(giver.isGone).toBe(true);
	await giver.alone(() => Promise.reject(new Error("it is gone")));
	await until(() => lines.length === 3 || undefined, "its last words");
	expect(lines.slice(1)).toEqual([
		{ say: "yours", ...counted(3) },
		{ say: "ended", ...counted(2) },
	]);
	expect(calls.slice(2)).toEqual([`let go for ${process.pid}`, "counts", "retire"]);
	await expect(giver.upgrade({ node: "node", main: "main.js" })).rejects.toThrow(
		"another weir has just taken over",
	);
});

it("changes that the other one stores reach its workers while they finish", async () => {
	let finish = (): void => {};
	const retired = new Promise<HandedCounts>((resolve) => {
		finish = () => resolve(counted(0));
	});
	const { calls, lines, tell, begin, folder } = await scene({
		retire: () => retired,
	});
	inbox(folder);
	await begin();
	tell({ say: "ready" });
	tell({ say: "apply", id: 7, changes: [{ kind: "edge", edgeId: "e" }] });
	await until(() => lines.length === 3 || undefined, "an answer");
	expect(lines).toContainEqual({ say: "applied", id: 7 });
	expect(calls).toContain('[{"kind":"edge","edgeId":"e"}]');
	finish();
});

describe("takes the store back, and says why,", () => {
	const went = async ({ giver, log }: Scene, reason: string): Promise<void> => {
		await until(() => log.find(({ level }) => level === "error"), "it to go on");
		expect(log.at(-1)).toMatchObject({
			message: "not taken over: this weir goes on, and stores again",
			fields: { reason: expect.stringContaining(reason) },
		});
		expect(giver.isGone).toBe(false);
	};

	it("when the other one says that it failed; it is ended", async () => {
		const child = sleeping();
		const exit = once(child, "exit");
		const set = await scene({ offer: () => ({ offer: OFFER, descriptors: [] }) });
		await set.begin(child.pid);
		set.tell({ say: "failed", reason: "no port" });
		await went(set, "no port");
		expect(set.calls).toEqual(["release", "take back"]);
		expect(await exit).toEqual([null, "SIGKILL"]);
	});

	it("when the other one is killed", async () => {
		const child = sleeping();
		const set = await scene({ offer: () => ({ offer: OFFER, descriptors: [] }) });
		await set.begin(child.pid);
		child.kill("SIGKILL");
		set.asking.destroy();
		await went(set, `process ${child.pid} ended before it was ready`);
	});

	it("when the other one breaks the rules", async () => {
		const child = sleeping();
		const set = await scene({ offer: () => ({ offer: OFFER, descriptors: [] }) });
		await set.begin(child.pid);
		set.tell({ say: "give me more" });
		await went(set, "ended before it was ready");
	});

	it("when nobody takes the sockets", async () => {
		const child = sleeping();
		const set = await scene();
		await set.begin(child.pid);
		await went(set, "can't be handed over: ENOENT");
		expect(set.lines).toContainEqual({
			say: "gave up",
			reason: expect.stringContaining("ENOENT"),
		});
	});

	it("when it is told to stop itself", async () => {
		const child = sleeping();
		const set = await scene({ offer: () => ({ offer: OFFER, descriptors: [] }) });
		await set.begin(child.pid);
		await set.giver.stop();
		await went(set, "weir is stopping");
		await expect(set.giver.upgrade({ node: "node", main: "main.js" })).rejects.toThrow("stopping");
	});

	it("also where it can't be had at once", async () => {
		let attempts = 0;
		const child = sleeping();
		const set = await scene({
			offer: () => ({ offer: OFFER, descriptors: [] }),
			takeBack: () => {
				attempts += 1;
				if (attempts === 1) throw new Error("in use by another weir");
			},
		});
		await set.begin(child.pid);
		set.tell({ say: "failed", reason: "no port" });
		await until(() => set.log.find(({ message }) => message.startsWith("not taken over")), "it");
		expect(set.log.filter(({ level }) => level === "error")[0]).toMatchObject({
			message: "the store can't be had back yet: writes stay refused",
		});
		expect(attempts).toBe(2);
	});
});

describe("refuses, and changes nothing,", () => {
	it.each([
		["another way to hand over", {}, HANDOVER + 1, "hands over in another way"],
		["a reason of the supervisor's", { obstacle: () => "no room" }, HANDOVER, "no room"],
	])("%s", async (_name, more, handover, reason) => {
		const { calls, lines, begin } = await scene(more);
		await begin(process.pid, handover);
		await until(() => lines.length > 0 || undefined, "an answer");
		expect(lines).toEqual([{ error: expect.stringContaining(reason) }]);
		expect(calls).toEqual([]);
	});

	it("a second one while a first one is at it", async () => {
		const set = await scene({ offer: () => ({ offer: OFFER, descriptors: [] }) });
		const { giver, lines } = set;
		await set.begin(sleeping().pid);
		const other = await conversation();
		const { lines: answers } = heard(other.asking);
		await giver.begin(
			{ do: "takeover", pid: process.pid, handover: HANDOVER, version: "2.0.0" },
			other.served,
		);
		await until(() => answers.length > 0 || undefined, "an answer");
		expect(answers).toEqual([{ error: expect.stringContaining("taking over already") }]);
		await expect(giver.upgrade({ node: "node", main: "main.js" })).rejects.toThrow("already");
		expect(lines).toHaveLength(1);
	});
});

it("an upgrade whose program can't start is refused with its reason, and nothing has changed", async () => {
	const { giver, calls, log } = await scene();
	await expect(giver.upgrade({ node: "/nowhere/node", main: "main.js" })).rejects.toThrow(
		"it could not be started",
	);
	expect(calls).toEqual([]);
	expect(log.at(-1)?.message).toBe("not upgraded: the other version could not start");
});

it("a reload waits for whoever takes over, and is done if that fails; meanwhile nobody may", async () => {
	const set = await scene({ offer: () => ({ offer: OFFER, descriptors: [] }) });
	await set.begin(sleeping().pid);
	let hasRun = false;
	let end = (): void => {};
	const reload = set.giver.alone(() => {
		hasRun = true;
		return new Promise((resolve) => {
			end = resolve;
		});
	});
	expect(hasRun).toBe(false);
	set.tell({ say: "failed", reason: "no port" });
	await until(() => hasRun || undefined, "the reload");
	await expect(set.giver.upgrade({ node: "node", main: "main.js" })).rejects.toThrow("reloading");
	end();
	await reload;
});
