/** No destination makes its process wait: FIFOs with and without reader, devices, files. */
import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	type Output,
	openOutput,
	SUPERVISOR_STDOUT,
	SUPERVISOR_STDOUT_DESCRIPTOR,
	standardDescriptor,
} from "../../src/telemetry/log-output.ts";

let folder = "";
let fifo = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "weir-output-"));
	fifo = join(folder, "fifo");
	execFileSync("mkfifo", [fifo]);
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Outcome {
	readonly code: string | undefined;
	readonly bytes: number;
}

const write = (output: Output, bytes: Buffer): Promise<Outcome> =>
	new Promise((resolve) => {
		output.write(bytes, 0, (error, written) => resolve({ code: error?.code, bytes: written }));
	});

const reader = (): number => openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);

function read(file: number): string {
	const bytes = Buffer.alloc(100);
	return bytes.toString("utf8", 0, readSync(file, bytes));
}

describe("a FIFO", () => {
	it("that nobody reads is opened all the same; who comes later gets what was written", async () => {
		const output = openOutput(fifo);
		expect(output.isUnread).toBe(true);
		expect(await write(output, Buffer.from("early\n"))).toEqual({ code: undefined, bytes: 6 });
		const file = reader();
		expect(read(file)).toBe("early\n");
		closeSync(file);
		output.close();
	});

	it("outlives its reader", async () => {
		const first = reader();
		const output = openOutput(fifo);
		expect(output.isUnread).toBe(false);
		closeSync(first);
		expect(await write(output, Buffer.from("between\n"))).toEqual({ code: undefined, bytes: 8 });
		const second = reader();
		expect(read(second)).toBe("between\n");
		closeSync(second);
		output.close();
	});

	it("that is full says so instead of waiting", async () => {
		const output = openOutput(fifo);
		const { bytes } = await write(output, Buffer.alloc(1_000_000));
		expect(bytes).toBeGreaterThan(0);
		expect(bytes).toBeLessThan(1_000_000);
		expect((await write(output, Buffer.alloc(1_000_000))).code).toBe("EAGAIN");
		output.close();
	});
});

it("writes to devices and files by their names", async () => {
	for (const path of ["/dev/null", join(folder, "file")]) {
		const output = openOutput(path);
		expect(output.isUnread).toBe(false);
		expect(await write(output, Buffer.from("line\n"))).toEqual({ code: undefined, bytes: 5 });
		output.close();
	}
	expect(statSync(join(folder, "file"))).toMatchObject({ size: 5, mode: 0o100640 });
});

it("names what can't be opened", () => {
	expect(() => openOutput(join(folder, "no", "log"))).toThrow(/no\/log/);
});

it("knows the names of descriptors, of which the supervisor's stdout is none of a worker's own three", () => {
	expect(standardDescriptor("stdout")).toBe(1);
	expect(standardDescriptor("stderr")).toBe(2);
	expect(standardDescriptor(SUPERVISOR_STDOUT)).toBe(SUPERVISOR_STDOUT_DESCRIPTOR);
	expect(SUPERVISOR_STDOUT_DESCRIPTOR).toBeGreaterThan(3);
	expect(standardDescriptor("/stdout")).toBeUndefined();
});
