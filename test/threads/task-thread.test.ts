/** One thread, and another one when it has ended. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { TaskThread } from "../../src/threads/task-thread.ts";

interface Task {
	readonly source: string;
}
interface Answer {
	readonly value: unknown;
}

let pool: TaskThread<Task, Answer>;
beforeEach(() => {
	pool = new TaskThread(new URL("./scripted-task.mjs", import.meta.url));
});
afterEach(() => pool.close());

const thread = async (): Promise<unknown> => (await pool.run({ source: "thread" })).value;

it("keeps its thread from task to task", async () => {
	const first = await thread();
	expect(await thread()).toBe(first);
});

it("gives what the task throws, and the thread lives on", async () => {
	const first = await thread();
	await expect(pool.run({ source: "throw" })).rejects.toThrow("a bug");
	expect(await thread()).toBe(first);
});

it("starts another one when it has ended", async () => {
	const first = await thread();
	await expect(pool.run({ source: "exit" })).rejects.toThrow();
	expect(await thread()).not.toBe(first);
});

it("ends whatever it does", async () => {
	await thread();
	const spinning = expect(pool.run({ source: "spin" })).rejects.toThrow();
	await pool.close();
	await spinning;
});
