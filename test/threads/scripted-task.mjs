/** A thread that does what the task's source says, in place of evaluating it; plain JavaScript, as threads need. */
import { existsSync, writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Says that it has begun, then waits until it is let go. */
const hold = (/** @type {string} */ gate) => {
	writeFileSync(`${gate}.begun`, "");
	while (!existsSync(gate)) Atomics.wait(cell, 0, 0, 2);
};

/** @type {Set<string>} */
const met = new Set();

/** What tests send: as much of a task as is read here. @typedef {import("../../src/threads/expression-task.ts").EvaluationTask} Task */

/** @param {Partial<Task>} task */
export default ({ source = "true", attributes, program, watched }) => {
	const [command, argument = ""] = source.split(" ");
	if (program !== undefined) met.add(program.source);
	// an evaluation begins, and looks at no clock
	if (watched !== undefined) {
		const numbers = new Float64Array(watched.memory);
		numbers[1] = Number.NaN;
		numbers[0] = Number(process.hrtime.bigint()) / 1e6;
	}
	switch (command) {
		case "programs":
			return { kind: "value", value: [...met].join() + (program === undefined ? "" : "+") };
		case "overrun":
			return { kind: "overrun", message: "as it is told to" };
		case "hold":
			hold(argument);
			return { kind: "value", value: true };
		case "method":
			return { kind: "value", value: attributes?.values.method };
		case "thread":
			return { kind: "value", value: String(threadId) };
		case "fail":
			return { kind: "failure", message: "as it is told to" };
		case "throw":
			throw new Error("a bug");
		case "exit":
			return process.exit(1);
		case "fill": {
			const filled = [];
			for (;;) filled.push(Array.from({ length: 1000 }, Math.random));
		}
		case "spin":
			for (;;) Math.random();
		default:
			return { kind: "value", value: command === "true" };
	}
};
