/**
 * A snapshot as it travels: gzip of a line about it and one line for each entry, in parts that fit a message (docs/fleet.md,
 * "Snapshots"). Logs keep it so; whether it is whole and right is judged where it is staged.
 */
import { Readable } from "node:stream";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { LIMITS } from "../limits/limits.ts";
import type { Snapshot } from "./log/log.ts";

const FORMAT = 1;
const NEWLINE = 10;

const HEADER = z.object({
	format: z.literal(FORMAT),
	revision: z.number().int().nonnegative(),
	head: z.number().int().nonnegative(),
	id: z.string().max(64),
	digest: z.string().regex(/^[0-9a-f]{32}$/),
	level: z.number().int().nonnegative(),
	incarnation: z.string().max(64),
	count: z.number().int().nonnegative(),
});

const ENTRY = z.tuple([z.string(), z.string()]);

/** @returns parts of `fleetSnapshotChunkBytes`, the last one smaller */
export async function* encodeSnapshot(snapshot: Snapshot): AsyncIterable<Buffer> {
	const most = LIMITS.fleetSnapshotChunkBytes;
	let waiting: Buffer[] = [];
	let bytes = 0;
	for await (const part of Readable.from(linesOf(snapshot)).compose(createGzip())) {
		let rest = part as Buffer;
		for (; bytes + rest.length >= most; rest = rest.subarray(most - bytes), bytes = 0) {
			yield Buffer.concat([...waiting, rest.subarray(0, most - bytes)]);
			waiting = [];
		}
		waiting.push(rest);
		bytes += rest.length;
	}
	if (bytes > 0) yield Buffer.concat(waiting);
}

async function* linesOf({ entries, ...about }: Snapshot): AsyncIterable<string> {
	yield `${JSON.stringify({ format: FORMAT, ...about })}\n`;
	for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}

/**
 * @returns undefined: it does not begin like one. Its entries throw where the rest is not sound
 */
export async function decodeSnapshot(
	content: AsyncIterable<Uint8Array>,
): Promise<Snapshot | undefined> {
	const lines = splitLines(content)[Symbol.asyncIterator]();
	try {
		const first = await lines.next();
		if (first.done === true) return undefined;
		const about = HEADER.safeParse(JSON.parse(first.value)).data;
		if (about === undefined) return undefined;
		const { format: _, ...fields } = about;
		return { ...fields, entries: entriesOf(lines) };
	} catch (error) {
		if (isUnsound(error)) return undefined;
		throw error;
	}
}

async function* entriesOf(lines: AsyncIterator<string>): AsyncIterable<readonly [string, string]> {
	for (let line = await lines.next(); line.done !== true; line = await lines.next())
		yield ENTRY.parse(JSON.parse(line.value));
}

async function* splitLines(content: AsyncIterable<Uint8Array>): AsyncIterable<string> {
	let rest: Buffer[] = [];
	let bytes = 0;
	for await (const part of Readable.from(content).compose(createGunzip())) {
		const buffer = part as Buffer;
		let from = 0;
		for (let end = buffer.indexOf(NEWLINE); end >= 0; end = buffer.indexOf(NEWLINE, from)) {
			yield Buffer.concat([...rest, buffer.subarray(from, end)]).toString("utf8");
			rest = [];
			bytes = 0;
			from = end + 1;
		}
		rest.push(buffer.subarray(from));
		bytes += buffer.length - from;
		if (bytes > LIMITS.fleetRecordInflatedBytes) throw new SyntaxError("a line without an end");
	}
	if (bytes > 0) throw new SyntaxError("the last line has no end");
}

/** Content that is not what it should be, as against a log that does not answer. */
const isUnsound = (error: unknown): boolean =>
	error instanceof SyntaxError ||
	(error instanceof Error && "code" in error && String(error.code).startsWith("Z_"));
