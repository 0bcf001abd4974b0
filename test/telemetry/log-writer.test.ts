/** What becomes of lines between their queue and a destination that others write to, or that isn't there. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { LogWriter } from "../../src/telemetry/log-writer.ts";

let folder = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-writer-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const never = () => {
	throw new Error("a line was dropped");
};

it("leaves the lines of several writers whole in a pipe that is full time and again", async () => {
	const fifo = join(folder, "fifo");
	execFileSync("mkfifo", [fifo]);
	const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
	const letters = ["a", "b", "c"];
	const lines = 300;
	const writers = letters.map(() => new LogWriter(fifo, 10_000_000, never));
	writers.forEach((writer, index) => {
		for (let line = 0; line < lines; line++)
			writer.write(`${(letters[index] ?? "").repeat(700 + ((line * 37) % 400))}\n`);
	});
	const flushed = Promise.all(writers.map((writer) => writer.flush(20_000)));
	let text = "";
	let isDone = false;
	flushed.then(() => {
		isDone = true;
	});
	const bytes = Buffer.alloc(5000);
	while (!isDone || text.split("\n").length <= letters.length * lines) {
		try {
			text += bytes.toString("latin1", 0, readSync(reader, bytes));
		} catch {
			if (isDone) break;
		}
		await new Promise(setImmediate);
	}
	const broken = text.split("\n").filter((line) => !/^(a+|b+|c+)$/.test(line) && line !== "");
	expect(broken.map((line) => line.length)).toEqual([]);
	expect(text.split("\n").length - 1).toBe(letters.length * lines);
	await Promise.all(writers.map((writer) => writer.close(1000)));
	closeSync(reader);
});

it("says why it writes elsewhere, and goes back once the file can be opened", () => {
	const file = join(folder, "not yet", "log");
	expect(() => new LogWriter(file, 1000, never)).toThrow("ENOENT");
	const writer = new LogWriter(file, 1000, never, "stderr");
	expect(writer.failure?.message).toContain("ENOENT");
	expect(() => writer.reopen()).toThrow("ENOENT");
	execFileSync("mkdir", [join(folder, "not yet")]);
	writer.reopen();
	expect(execFileSync("ls", [join(folder, "not yet")], { encoding: "utf8" })).toBe("log\n");
});
