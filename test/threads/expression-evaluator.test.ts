/** Evaluations in a real thread that does as it is told: every way in which one can end, each counted. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EvaluationFailure, Overrun } from "../../src/cel/expression.ts";
import { Metrics } from "../../src/telemetry/metrics.ts";
import { ExpressionEvaluator, type Settlement } from "../../src/threads/expression-evaluator.ts";
import type { ExpressionAnswer, ExpressionTask } from "../../src/threads/expression-task.ts";
import { TaskThread } from "../../src/threads/task-thread.ts";
import { ThreadQueue } from "../../src/threads/thread-queue.ts";
import { ATTRIBUTES } from "../cel/attributes.ts";

const ROOM = 3;
const PATIENT_MS = 20_000;

let folder: string;
let made: number;
let metrics: Metrics;
let queue: ThreadQueue<ExpressionTask, ExpressionAnswer>;
let evaluator: ExpressionEvaluator;

function open(stuckMs = PATIENT_MS): void {
	made = 0;
	metrics = new Metrics();
	queue = new ThreadQueue<ExpressionTask, ExpressionAnswer>({
		makeThread: () => {
			made += 1;
			const file = new URL("./scripted-task.mjs", import.meta.url);
			return new TaskThread<ExpressionTask, ExpressionAnswer>(file, 64);
		},
		threads: 1,
		room: ROOM,
		stuckMs,
		idleMs: PATIENT_MS,
	});
	evaluator = new ExpressionEvaluator(queue, metrics);
}

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-heavy-"));
	open();
});
afterEach(async () => {
	await queue.close();
	rmSync(folder, { recursive: true });
});

const suspension = (source: string, wants: "bool" | "text") =>
	({ source, phase: "inbound", wants, reads: ["method"] }) as const;

interface Asked {
	readonly cancel: () => void;
	readonly settled: Promise<Settlement>;
	heard: number;
}

function ask(source: string, wants: "bool" | "text" = "bool", patienceMs = PATIENT_MS): Asked {
	let tell: (settlement: Settlement) => void = () => {};
	const settled = new Promise<Settlement>((resolve) => {
		tell = resolve;
	});
	const asked: Asked = { cancel: () => evaluation.cancel(), settled, heard: 0 };
	const evaluation = evaluator.evaluate(
		suspension(source, wants),
		ATTRIBUTES,
		performance.now() + patienceMs,
		(settlement) => {
			asked.heard += 1;
			tell(settlement);
		},
	);
	return asked;
}

/** Keeps the thread busy; resolves once it is, with what lets it go. */
async function occupy(): Promise<{ release: () => void; settled: Promise<Settlement> }> {
	const gate = join(folder, "gate");
	const { settled } = ask(`hold ${gate}`);
	const deadline = Date.now() + PATIENT_MS;
	while (!existsSync(`${gate}.begun`)) {
		if (Date.now() > deadline) throw new Error("the thread did not begin");
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
	return { release: () => writeFileSync(gate, ""), settled };
}

const message = async ({ settled }: Asked): Promise<string> => {
	const settlement = await settled;
	return settlement instanceof EvaluationFailure ? settlement.message : `no failure: ${settlement}`;
};
const counted = (outcome: string): number =>
	metrics.snapshot()[`weir_heavy_evaluations_total{outcome="${outcome}"}`] ?? 0;
const waiting = (): number | undefined => metrics.snapshot().weir_heavy_evaluations_waiting;

describe("an evaluation", () => {
	it("is settled by a thread that gets a copy of what it reads", async () => {
		expect(await ask("true").settled).toBe(true);
		expect(await ask("false").settled).toBe(false);
		expect(await ask("method", "text").settled).toBe("POST");
		expect(counted("settled")).toBe(3);
		expect(waiting()).toBe(0);
		expect(made).toBe(1);
	});

	it("fails as the expression does, or where the thread gives what was not asked for", async () => {
		expect(await message(ask("fail"))).toBe("as it is told to");
		expect(await message(ask("true", "text"))).toContain("another type");
		expect(counted("failed")).toBe(2);
	});

	it("is refused where the queue is full, and never before it was asked for", async () => {
		const busy = await occupy();
		const waits = Array.from({ length: ROOM }, () => ask("true"));
		expect(waiting()).toBe(ROOM);
		const refused = ask("true");
		expect(refused.heard).toBe(0);
		expect(await message(refused)).toContain("too many");
		busy.release();
		expect(await Promise.all(waits.map(({ settled }) => settled))).toEqual(waits.map(() => true));
		expect([counted("queue_full"), counted("settled"), waiting()]).toEqual([1, ROOM + 1, 0]);
	});

	it("fails if no thread has begun until its deadline; what has begun goes on", async () => {
		const gate = join(folder, "gate");
		const running = ask(`hold ${gate}`, "bool", 50);
		const waits = ask("true", "bool", 50);
		const late = ask("true", "bool", 0);
		expect(await message(waits)).toContain("in time");
		expect(await message(late)).toContain("in time");
		expect(running.heard).toBe(0);
		writeFileSync(gate, "");
		expect(await running.settled).toBe(true);
		expect(await ask("true").settled).toBe(true);
		expect([counted("waited"), counted("settled"), made]).toEqual([2, 2, 1]);
		expect([running.heard, waits.heard, late.heard]).toEqual([1, 1, 1]);
	});

	it("is never passed over for its cost: a thread's no, no thread, no room", async () => {
		expect(await ask("fail").settled).not.toBeInstanceOf(Overrun);
		expect(await ask("overrun").settled).toBeInstanceOf(Overrun);
		expect(await ask("exit").settled).toBeInstanceOf(Overrun);
		expect(await ask("true", "bool", 0).settled).toBeInstanceOf(Overrun);
		const busy = await occupy();
		for (let times = 0; times < ROOM; times++) ask("true");
		expect(await ask("true").settled).toBeInstanceOf(Overrun);
		busy.release();
		await busy.settled;
		expect(["overrun", "failed", "waited", "queue_full"].map(counted)).toEqual([1, 2, 1, 1]);
	});

	it("waits for one of each other client, not for all that one has waiting", async () => {
		const busy = await occupy();
		const order: string[] = [];
		const from = (clientIp: string, name: string): Promise<void> =>
			new Promise((resolve) => {
				evaluator.evaluate(
					suspension("true", "bool"),
					{ ...ATTRIBUTES, clientIp },
					performance.now() + PATIENT_MS,
					() => {
						order.push(name);
						resolve();
					},
				);
			});
		const all = [
			from("2001:db8::1", "first"),
			from("2001:db8::2", "same site"),
			from("192.0.2.9", "other"),
		];
		busy.release();
		await Promise.all(all);
		expect(order).toEqual(["first", "other", "same site"]);
	});

	it("is taken out of the queue for whoever leaves; one that runs is left alone", async () => {
		const gate = join(folder, "gate");
		const busy = await occupy();
		const waits = ask("exit");
		waits.cancel();
		waits.cancel();
		expect(waiting()).toBe(0);
		busy.release();
		expect(await busy.settled).toBe(true);
		rmSync(gate);
		rmSync(`${gate}.begun`);
		const running = ask(`hold ${gate}`);
		running.cancel();
		writeFileSync(gate, "");
		expect(await ask("true").settled).toBe(true);
		expect([counted("cancelled"), waits.heard, running.heard, made]).toEqual([2, 0, 0, 1]);
	});

	it.each(["exit", "throw", "fill"])(
		"fails alone with its thread (%s), and another one takes over",
		async (end) => {
			const gone = ask(end);
			const next = ask("true");
			expect(await message(gone)).toContain("thread ended");
			expect(await next.settled).toBe(true);
			expect([counted("failed"), counted("settled"), made]).toEqual([1, 1, 2]);
		},
	);

	it("finds its thread started where somebody keeps it", async () => {
		const release = evaluator.keep();
		expect(made).toBe(1);
		await evaluator.ready();
		expect(await ask("true").settled).toBe(true);
		release();
		expect(made).toBe(1);
	});

	it("that never ends is ended with its thread", async () => {
		await queue.close();
		open(1000);
		expect(await message(ask("spin"))).toContain("thread ended");
		expect(await ask("true").settled).toBe(true);
		expect(made).toBe(2);
	});
});
