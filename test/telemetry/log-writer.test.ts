/** What becomes of lines between their queue and a destination that others write to, or that isn't there. */
import { execFileSync } from "node:child_process";
import fs, {
	closeSync,
	constants,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	rmSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
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

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** How many writes there were, and what came of them. */
function countedWriter(maxBytes = 10_000_000) {
	const file = join(folder, "log");
	let dropped = 0;
	const writer = new LogWriter(file, maxBytes, () => dropped++);
	const text = () => readFileSync(file, "utf8");
	return { writer, text, dropped: () => dropped };
}

it("writes lines of many requests together, and at once what is not one of these", async () => {
	const { writer, text } = countedWriter();
	const until = (wanted: string) => vi.waitFor(() => expect(text()).toBe(wanted), { interval: 1 });
	writer.later("first\n");
	await until("first\n");
	// Within one turn, so that no time passes between them.
	writer.later("second\n");
	const bytes = Buffer.from("third\nspoiled");
	writer.laterBytes(bytes, 6);
	bytes.fill("x");
	writer.write("é\n");
	await until("first\nsecond\nthird\né\n");
	writer.later("fourth\n");
	await until("first\nsecond\nthird\né\nfourth\n");
	writer.later("fifth\n");
	await writer.close(1000);
	expect(text()).toMatch(/fourth\nfifth\n$/);
});

it("lets lines of many requests wait for each other", async () => {
	const writes = vi.spyOn(fs, "write");
	syncBuiltinESMExports();
	const { writer, text } = countedWriter();
	const lines = 2000;
	for (let line = 0; line < lines; line++) {
		writer.later(`${line}\n`);
		await turn();
	}
	await writer.close(1000);
	expect(text().split("\n").slice(0, -1).map(Number)).toEqual(
		Array.from({ length: lines }, (_, n) => n),
	);
	const times = writes.mock.calls.length;
	writes.mockRestore();
	syncBuiltinESMExports();
	expect(times).toBeGreaterThan(0);
	expect(times).toBeLessThan(lines / 4);
});

it("keeps order, bounds and counts, whatever comes in whatever way", async () => {
	const step = fc.oneof(
		fc.record({
			how: fc.constantFrom("write", "later", "bytes"),
			size: fc.oneof(fc.nat(40), fc.nat(300_000)),
		}),
		fc.record({ how: fc.constantFrom("turn", "flush", "reopen"), size: fc.constant(0) }),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { maxLength: 40 }),
			fc.constantFrom(50_000, 700_000),
			async (steps, most) => {
				rmSync(join(folder, "log"), { force: true });
				const { writer, text, dropped } = countedWriter(most);
				const kept: string[] = [];
				for (const [at, { how, size }] of steps.entries()) {
					const line = `${at} ${"é".repeat(size / 2)}${"x".repeat(size / 2)}\n`;
					const bytes = Buffer.from(line);
					const before = dropped();
					if (how === "write") writer.write(line);
					else if (how === "later") writer.later(line);
					else if (how === "bytes") writer.laterBytes(bytes, bytes.length);
					else if (how === "turn") await turn();
					else if (how === "flush") await writer.flush(10_000);
					else writer.reopen();
					if (!["write", "later", "bytes"].includes(how)) continue;
					if (dropped() === before) kept.push(line);
					if (bytes.length > most) expect(dropped()).toBe(before + 1);
				}
				await writer.close(10_000);
				expect(text()).toBe(kept.join(""));
			},
		),
		{ numRuns: 60 },
	);
});

/** What a faked system call says of each write; afterwards it takes all. */
function faked(answers: readonly ((bytes: number) => number | string)[]) {
	const left = [...answers];
	const written: { descriptor: number; text: string }[] = [];
	const fake = vi.spyOn(fs, "write") as unknown as { mockImplementation(does: unknown): void };
	fake.mockImplementation(
		(
			...[descriptor, bytes, offset, length, , done]: [
				number,
				Buffer,
				number,
				number,
				null,
				(error: Error | null, bytes: number) => void,
			]
		) => {
			const answer = left.shift()?.(length) ?? length;
			setImmediate(() => {
				if (typeof answer === "string") done(Object.assign(new Error(answer), { code: answer }), 0);
				else {
					const text = bytes.toString("latin1", offset, offset + answer);
					written.push({ descriptor, text });
					done(null, answer);
				}
			});
		},
	);
	syncBuiltinESMExports();
	return written;
}
afterEach(() => {
	vi.restoreAllMocks();
	syncBuiltinESMExports();
});

it("has a line out at once that is not one of many, on whichever page it stands", async () => {
	const { writer } = countedWriter();
	const written = faked([]);
	const begins = vi.spyOn(globalThis, "setTimeout");
	writer.later("first\n");
	await writer.flush(1000);
	for (let each = 0; each < 262; each++) writer.later(`${"x".repeat(999)}\n`);
	writer.write(`ERROR ${"y".repeat(300)}\n`);
	for (let each = 0; each < 3; each++) writer.later("later\n");
	begins.mockClear();
	await vi.waitFor(() => expect(written.map(({ text }) => text).join("")).toContain("ERROR"), {
		interval: 1,
	});
	expect(begins.mock.calls.filter(([, ms = 0]) => ms > 2 && ms <= LIMITS.logPaceMs)).toEqual([]);
	await writer.close(1000);
});

it("takes no line any more once it closes", async () => {
	const { writer, text, dropped } = countedWriter();
	writer.write("A\n");
	const closed = writer.close(1000);
	writer.write("B\n");
	writer.later("C\n");
	writer.laterBytes(Buffer.from("D\n"), 2);
	await closed;
	expect([text(), dropped()]).toEqual(["A\n", 3]);
});

it("counts of a page that fails the lines that were not out", async () => {
	const { writer, dropped } = countedWriter();
	const written = faked([() => 5, () => "ENOSPC"]);
	for (let line = 0; line < 5; line++) writer.write(`${line}\n`);
	await writer.flush(1000);
	expect([written.map(({ text }) => text), dropped()]).toEqual([["0\n1\n2"], 3]);
	writer.write("on\n");
	await writer.close(1000);
	expect([written.at(-1)?.text, dropped()]).toEqual(["on\n", 3]);
});

it("goes on in the new file behind the line that the old one had no room for", async () => {
	for (const [out, rest, lost] of [
		[4, "2\n3\n4\n", 0],
		[5, "3\n4\n", 1],
		[9, "", 1],
	] as const) {
		const { writer, dropped } = countedWriter();
		const isFull = () => {
			writer.reopen();
			return "EAGAIN";
		};
		const written = faked([() => out, isFull]);
		for (let line = 0; line < 5; line++) writer.write(`${line}\n`);
		await writer.flush(1000);
		const [old, ...others] = written;
		expect(others.map(({ text }) => text).join("")).toBe(rest);
		expect(others.every(({ descriptor }) => descriptor !== old?.descriptor)).toBe(true);
		expect(dropped()).toBe(lost);
		vi.restoreAllMocks();
		syncBuiltinESMExports();
		await writer.close(1000);
	}
});
