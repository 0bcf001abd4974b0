/**
 * A snapshot as it travels (docs/fleet.md, "Snapshots"): gzip of lines of JSON, first what it is of, then an entry each, in
 * the order of keys. Both ways in pieces, so that no machine has all of it in memory. Every log (`log/`) reads and writes
 * its snapshots with it; whether one is sound is seen by `staging.ts`.
 */
import { pipeline, Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createGunzip, createGzip } from "node:zlib";
import { z } from "zod";
import { LIMITS } from "../limits/limits.ts";
import type { Snapshot } from "./log/log.ts";

const FORMAT = 1;

/** Thrown while entries are read: what follows is none, or too much. */
export class UnsoundSnapshot extends Error {
	override readonly name = "UnsoundSnapshot";
}

const count = z.int().min(0);
const headerSchema = z.object({
	format: z.literal(FORMAT),
	revision: count,
	head: count,
	id: z.string().max(64),
	digest: z.string().regex(/^[0-9a-f]{32}$/),
	level: z.int().min(1),
	incarnation: z.string().min(1).max(64),
	count,
});

/** @returns pieces of at most `LIMITS.fleetSnapshotChunkBytes` */
export async function* encodeSnapshot(snapshot: Snapshot): AsyncIterable<Uint8Array> {
	const gzip = createGzip();
	// an error of either is thrown by the loop below
	pipeline(Readable.from(linesOf(snapshot)), gzip, () => {});
	let [pieces, bytes] = [[] as Buffer[], 0];
	for await (const piece of gzip as AsyncIterable<Buffer>) {
		if (bytes + piece.length > LIMITS.fleetSnapshotChunkBytes) {
			yield Buffer.concat(pieces);
			[pieces, bytes] = [[], 0];
		}
		pieces.push(piece);
		bytes += piece.length;
	}
	yield Buffer.concat(pieces);
}

async function* linesOf({ entries, ...about }: Snapshot): AsyncIterable<string> {
	const { revision, head, id, digest, level, incarnation, count: entryCount } = about;
	const header = { revision, head, id, digest, level, incarnation, count: entryCount };
	let lines = `${JSON.stringify({ format: FORMAT, ...header })}\n`;
	for await (const entry of entries) {
		lines += `${JSON.stringify(entry)}\n`;
		if (lines.length < LINES_TOGETHER) continue;
		yield lines;
		lines = "";
	}
	yield lines;
}

/** Characters that are compressed at a time. */
const LINES_TOGETHER = 65_536;

/**
 * @param pieces may throw, and what they throw is thrown by who reads
 * @returns undefined: its beginning is none of a snapshot that this build knows
 */
export async function decodeSnapshot(
	pieces: AsyncIterable<Uint8Array>,
): Promise<Snapshot | undefined> {
	const lines = linesIn(pieces);
	try {
		const first = await lines.next();
		const read = headerSchema.safeParse(first.done === true ? undefined : parsed(first.value));
		if (read.success) {
			const { format: _, ...about } = read.data;
			return { ...about, entries: entriesIn(lines, about.count) };
		}
	} catch (error) {
		if (!(error instanceof UnsoundSnapshot)) throw error;
	}
	await lines.return(undefined);
	return undefined;
}

async function* entriesIn(
	lines: AsyncGenerator<string>,
	most: number,
): AsyncIterable<readonly [key: string, value: string]> {
	let entries = 0;
	for await (const line of lines) {
		const entry = entrySchema.safeParse(parsed(line));
		if (!entry.success || ++entries > most) throw new UnsoundSnapshot(`line ${entries + 1}`);
		yield entry.data;
	}
}

const entrySchema = z.tuple([z.string(), z.string()]);

async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
	const gunzip = createGunzip();
	pipeline(Readable.from(pieces), gunzip, () => {});
	const decoder = new StringDecoder("utf8");
	let rest = "";
	try {
		for await (const piece of gunzip as AsyncIterable<Buffer>) {
			const lines = (rest + decoder.write(piece)).split("\n");
			rest = lines.pop() ?? "";
			yield* lines;
			if (rest.length > LIMITS.fleetRecordInflatedBytes) throw new UnsoundSnapshot("a long line");
		}
	} catch (error) {
		throw isGzips(error) ? new UnsoundSnapshot("no gzip") : error;
	}
	if (rest !== "") throw new UnsoundSnapshot("cut short");
}

const isGzips = (error: unknown): boolean =>
	String((error as { readonly code?: unknown } | undefined)?.code).startsWith("Z_");

function parsed(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}
