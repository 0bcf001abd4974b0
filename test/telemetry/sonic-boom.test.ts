/**
 * Why `log-writer.ts` is not `sonic-boom`, the writer that pino brings along. Each test shows a case that weir
 * needs, what `LogWriter` does in it and what sonic-boom does. A test that fails after an update of sonic-boom is
 * good news: when none is left, the library takes the place of `LogWriter`.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
	closeSync,
	constants,
	existsSync,
	mkdtempSync,
	openSync,
	readFileSync,
	readSync,
	renameSync,
	rmSync,
} from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SonicBoom } from "sonic-boom";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LogWriter } from "../../src/telemetry/log-writer.ts";

const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants;
/** more than a pipe holds */
const FLOOD = `${"x".repeat(199_999)}\n`;

let folder = "";
let fifo = "";
let opened: number[] = [];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-sonic-"));
	fifo = join(folder, "fifo");
	execFileSync("mkfifo", [fifo]);
});
afterEach(() => {
	for (const descriptor of opened) closeSync(descriptor);
	opened = [];
	rmSync(folder, { recursive: true });
});

const open = (path: string, flags: number | string): number => {
	const descriptor = openSync(path, flags);
	opened.push(descriptor);
	return descriptor;
};
const fileNamed = (name: string) => join(folder, name);
const text = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");

const PATIENT = { interval: 1, timeout: 10_000 };

/** Reads what a FIFO holds at the moment. */
function drain(reader: number): void {
	const bytes = Buffer.alloc(65_536);
	try {
		while (readSync(reader, bytes) > 0);
	} catch {
		// empty
	}
}

/** Time for what is under way in the threads of libuv, were it not stuck. */
const someTurns = async (): Promise<void> => {
	for (let turn = 0; turn < 20; turn++) await stat(folder);
};

/** sonic-boom on a descriptor of a full pipe, as soon as it was told that the pipe is full. */
async function stuckInPipe(onDrop: () => void): Promise<SonicBoom> {
	let isFull = false;
	const sonic = new SonicBoom({
		fd: openSync(fifo, O_RDWR | O_NONBLOCK),
		retryEAGAIN: () => {
			isFull = true;
			return true;
		},
	});
	sonic.on("drop", onDrop);
	sonic.write(FLOOD);
	sonic.write("left\n");
	await vi.waitFor(() => expect(isFull).toBe(true), PATIENT);
	return sonic;
}

it("flush: sonic-boom calls back while lines still wait, so a process would end without its last lines", async () => {
	const writer = new LogWriter(fifo, 1_000_000, () => {});
	writer.write(FLOOD);
	let isFlushed = false;
	const flushed = writer.flush(10_000).then(() => {
		isFlushed = true;
	});
	await someTurns();
	expect(isFlushed).toBe(false);
	const reader = open(fifo, O_RDONLY | O_NONBLOCK);
	await vi.waitFor(() => {
		drain(reader);
		expect(isFlushed).toBe(true);
	}, PATIENT);
	await flushed;
	await writer.close(1000);

	const sonic = await stuckInPipe(() => {});
	let isCalledBack = false;
	sonic.flush(() => {
		isCalledBack = true;
	});
	expect(isCalledBack).toBe(true);
	sonic.end();
	const closed = once(sonic, "close");
	await vi.waitFor(() => {
		drain(reader);
		expect(sonic).toMatchObject({ destroyed: true });
	}, PATIENT);
	await closed;
});

it("close while the pipe is full: sonic-boom counts no lost line and writes to whatever gets its descriptor's number", async () => {
	let dropped = 0;
	const writer = new LogWriter(fifo, 1_000_000, () => dropped++);
	writer.write(FLOOD);
	writer.write("left\n");
	await writer.close(50);
	expect(dropped).toBe(2);

	dropped = 0;
	const sonic = await stuckInPipe(() => dropped++);
	const { fd } = sonic as unknown as { fd: number };
	sonic.on("error", () => {});
	sonic.destroy();
	await once(sonic, "close");
	expect(dropped).toBe(0);
	const innocent = fileNamed("innocent");
	while (open(innocent, "a") < fd);
	await vi.waitFor(() => expect(text(innocent)).toContain("xxx"), PATIENT);
});

it("reopen while nobody reads: sonic-boom stays with the pipe until somebody does", async () => {
	const writer = new LogWriter(fifo, 1_000_000, () => {});
	writer.write(FLOOD);
	await writer.flush(50);
	renameSync(fifo, fileNamed("pipe"));
	writer.reopen();
	writer.write("after\n");
	await writer.flush(10_000);
	expect(text(fifo)).toMatch(/after\n$/);
	await writer.close(1000);

	rmSync(fifo);
	renameSync(fileNamed("pipe"), fifo);
	const reader = open(fifo, O_RDONLY | O_NONBLOCK);
	const sonic = new SonicBoom({ dest: fifo });
	await once(sonic, "ready");
	sonic.write(FLOOD);
	await someTurns();
	renameSync(fifo, fileNamed("pipe"));
	sonic.reopen();
	sonic.write("after\n");
	await someTurns();
	expect(existsSync(fifo)).toBe(false);
	await vi.waitFor(() => {
		drain(reader);
		expect(text(fifo)).toBe("after\n");
	}, PATIENT);
	sonic.end();
	await once(sonic, "close");
});

it("start on a FIFO without reader: sonic-boom waits for one in a thread, which would keep the process from ending", async () => {
	const writer = new LogWriter(fifo, 1000, () => {});
	expect(writer.isUnread).toBe(true);
	await writer.close(1000);

	const sonic = new SonicBoom({ dest: fifo });
	let isReady = false;
	sonic.once("ready", () => {
		isReady = true;
	});
	await someTurns();
	expect(isReady).toBe(false);
	open(fifo, O_RDONLY | O_NONBLOCK);
	await vi.waitFor(() => expect(isReady).toBe(true), PATIENT);
	sonic.end();
	await once(sonic, "close");
});

it("a file that can't be opened again: sonic-boom says so later and to nobody in particular", async () => {
	const file = fileNamed("log");
	const writer = new LogWriter(file, 1000, () => {});
	const sonic = new SonicBoom({ dest: file });
	await once(sonic, "ready");
	rmSync(file);
	execFileSync("mkdir", [file]);
	expect(() => writer.reopen()).toThrow("EISDIR");
	const said = once(sonic, "error");
	expect(() => sonic.reopen()).not.toThrow();
	expect(await said).toMatchObject([{ code: "EISDIR" }]);
	await writer.close(1000);
	sonic.destroy();
});

it("disk full: sonic-boom says neither that a line is lost nor how many wait, and tries the old ones again first", async () => {
	let dropped = 0;
	const writer = new LogWriter("/dev/full", 1000, () => dropped++);
	writer.write("one\n");
	await writer.flush(10_000);
	expect(dropped).toBe(1);
	await writer.close(1000);

	const sonic = new SonicBoom({ fd: openSync("/dev/full", "a"), maxLength: 1000 });
	dropped = 0;
	sonic.on("drop", () => dropped++);
	const failed = once(sonic, "error");
	sonic.write("one\n");
	expect(await failed).toMatchObject([{ code: "ENOSPC" }]);
	expect(dropped).toBe(0);
	sonic.destroy();
});
