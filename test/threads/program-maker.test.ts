/** Long texts are compiled in batches behind evaluations; what can't be is left to the caller. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import type { WantedProgram } from "../../src/policy/programs/program.ts";
import type { ExpressionAnswer, ExpressionTask } from "../../src/threads/expression-task.ts";
import task from "../../src/threads/expression-task.ts";
import { ThreadProgramMaker } from "../../src/threads/program-maker.ts";
import type { Ended, Ticket } from "../../src/threads/thread-queue.ts";

class FakeQueue {
	readonly tasks: ExpressionTask[] = [];
	readonly withdrawn: Ticket[] = [];
	room = true;
	answer: (task: ExpressionTask) => Ended<ExpressionAnswer> | undefined;

	constructor(answer: (task: ExpressionTask) => Ended<ExpressionAnswer> | undefined) {
		this.answer = answer;
	}
	hasRoom(): boolean {
		return this.room;
	}
	submit(
		lane: Ticket["lane"],
		task: ExpressionTask,
		done: (ended: Ended<ExpressionAnswer>) => void,
	): Ticket {
		this.tasks.push(task);
		const ended = this.answer(task);
		if (ended !== undefined) queueMicrotask(() => done(ended));
		return { lane, client: "" };
	}
	withdraw(ticket: Ticket): boolean {
		return this.withdrawn.push(ticket) > 0;
	}
}

/** As a thread would. */
const compiled = (asked: ExpressionTask): Ended<ExpressionAnswer> => ({
	ok: true,
	answer: structuredClone(task(structuredClone(asked))),
});
const predicate = (source: string): WantedProgram => ({
	kind: "predicate",
	source,
	phase: "inbound",
});

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
	vi.useRealTimers();
});

it("makes programs of all that are valid, in batches of bounded size, each once", async () => {
	const lengths = fc.array(fc.integer({ min: 10, max: 2 * LIMITS.compileBatchCharacters }), {
		maxLength: 8,
	});
	await fc.assert(
		fc.asyncProperty(lengths, async (all) => {
			const wanted = all.map((length, n) => predicate(`${n} > ${" ".repeat(length)}3`));
			const queue = new FakeQueue(compiled);
			let batches = 0;
			const made = await new ThreadProgramMaker(queue).make(
				[...wanted, predicate("req.nothing")],
				() => {
					batches += 1;
				},
			);
			expect(made.map(({ source }) => source)).toEqual(wanted.map(({ source }) => source));
			expect(batches).toBe(queue.tasks.length);
			for (const each of queue.tasks) {
				if (each.kind !== "compile") throw new Error("not to be compiled");
				const characters = each.wanted.reduce((sum, { source }) => sum + source.length, 0);
				if (each.wanted.length > 1) {
					expect(characters).toBeLessThanOrEqual(LIMITS.compileBatchCharacters);
				}
			}
		}),
		{ numRuns: 20 },
	);
});

it("makes templates, too", async () => {
	const wanted: WantedProgram = { kind: "template", source: "${req.method}!", phase: "outbound" };
	const maker = new ThreadProgramMaker(new FakeQueue(compiled));
	expect(await maker.make([wanted], () => {})).toMatchObject([wanted]);
});

it("makes nothing where there is no room, the thread crashes, or it takes too long", async () => {
	const queue = new FakeQueue(() => ({ ok: false, message: "crashed" }));
	const maker = new ThreadProgramMaker(queue);
	expect(await maker.make([predicate("true")], () => {})).toEqual([]);
	queue.answer = () => undefined;
	const late = maker.make([predicate("true")], () => {});
	vi.advanceTimersByTime(LIMITS.compileMs);
	expect(await late).toEqual([]);
	expect(queue.withdrawn).toEqual([{ lane: "later", client: "" }]);
	queue.room = false;
	expect(await maker.make([predicate("true")], () => {})).toEqual([]);
	expect(queue.tasks).toHaveLength(2);
});
