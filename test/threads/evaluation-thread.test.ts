/** A thread under its evaluations: each has its deadline, and what overruns costs its own thread alone. */
import { afterEach, expect, test } from "vitest";
import type { ExpressionProgram } from "../../src/cel/expression-program.ts";
import { EvaluationThread } from "../../src/threads/evaluation-thread.ts";
import type { EvaluationTask, ExpressionAnswer } from "../../src/threads/expression-task.ts";

const FILE = new URL("./scripted-task.mjs", import.meta.url);

let thread: EvaluationThread | undefined;
let replaced = 0;
const open = (deadlineMs: number): EvaluationThread => {
	replaced = 0;
	thread = new EvaluationThread(FILE, deadlineMs, () => {
		replaced++;
	});
	return thread;
};
afterEach(() => thread?.close());

const NOTHING = { complete: false, lines: [] };
const taskOf = (source: string, program?: ExpressionProgram): EvaluationTask => ({
	kind: "evaluate",
	source,
	phase: "inbound",
	wants: "text",
	attributes: { values: {}, requestHeaders: NOTHING, responseHeaders: NOTHING },
	...(program === undefined ? {} : { program }),
});
const programOf = (source: string): ExpressionProgram =>
	({ source }) as unknown as ExpressionProgram;
const text = (value: string): ExpressionAnswer => ({ kind: "value", value });

test("one that never ends is ended with its thread, and the next task has a fresh one", async () => {
	const heavy = open(20);
	const first = await heavy.run(taskOf("thread"));
	expect((await heavy.run(taskOf("spin"))).kind).toBe("overrun");
	expect(replaced).toBe(1);
	const next = await heavy.run(taskOf("thread"));
	expect(next.kind).toBe("value");
	expect(next).not.toEqual(first);
});

test("a program goes to a thread once, and again to a fresh one", async () => {
	const heavy = open(20);
	const [one, other] = [programOf("one"), programOf("other")];
	expect(await heavy.run(taskOf("programs", one))).toEqual(text("one+"));
	expect(await heavy.run(taskOf("programs", one))).toEqual(text("one"));
	expect(await heavy.run(taskOf("programs", other))).toEqual(text("one,other+"));
	expect((await heavy.run(taskOf("spin"))).kind).toBe("overrun");
	expect(await heavy.run(taskOf("programs", one))).toEqual(text("one+"));
});

test("a thread that is lost is lost, and knows nothing any more", async () => {
	const heavy = open(10_000);
	await expect(heavy.run(taskOf("exit"))).rejects.toThrow();
	expect(replaced).toBe(0);
});
