/**
 * Keeps the records that a machine gives up because the log has another history: a line of JSON each, in a file of
 * their own beside the store, for people to look at and to write again; and a line for each that another machine gave back
 * after all (docs/fleet.md, "Failures"). `lost-records.ts` says what belongs there.
 */
import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readdirSync,
	readFileSync,
	writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import type { FoundRecord, LostRecord } from "./lost.ts";
import type { LostKept, MissingRecord } from "./lost-records.ts";

const NAME = /^fleet-lost-[0-9TZ]+\.jsonl$/;

/** The files of one machine's data folder. */
export class LostFiles implements LostKept {
	readonly #directory: string;
	readonly #now: () => Date;

	constructor(directory: string, now: () => Date = () => new Date()) {
		this.#directory = directory;
		this.#now = now;
	}

	write(lost: readonly LostRecord[]): string {
		const time = this.#now().toISOString().replaceAll(/[-:]/g, "").replace(".", "");
		const path = join(this.#directory, `fleet-lost-${time}.jsonl`);
		append(openSync(path, "a", 0o600), lost);
		return path;
	}

	/** Nothing is written where somebody has dealt with the file and deleted it. */
	found(path: string, records: readonly FoundRecord[]): void {
		if (!existsSync(path)) return;
		const at = this.#now().toISOString();
		const why = (revision: number) => `given back at revision ${revision}`;
		append(
			openSync(path, "a", 0o600),
			records.map(({ id, revision }) => ({ revision, why: why(revision), id, at })),
		);
	}

	/** Newest first; what can't be read tells of nothing. */
	*read(): Iterable<MissingRecord> {
		const names = readdirSync(this.#directory).filter((name) => NAME.test(name));
		for (const name of names.sort().reverse()) {
			const where = join(this.#directory, name);
			const missing = new Map<string, MissingRecord>();
			for (const { id, revision, why, record } of linesOf(where)) {
				if (record === undefined) missing.delete(id ?? "");
				else missing.set(record.id, { id: record.id, revision, why, where });
			}
			yield* missing.values();
		}
	}

	isThere(path: string): boolean {
		return existsSync(join(this.#directory, basename(path)));
	}
}

function append(descriptor: number, lines: readonly object[]): void {
	try {
		for (const each of lines) writeSync(descriptor, `${JSON.stringify(each)}\n`);
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

/** One of a record, or one that says where it is after all. */
const LINE = z.object({
	revision: z.number(),
	why: z.string().transform((why) => (why === "unverified" ? why : "lost")),
	id: z.string().optional(),
	record: z.object({ id: z.string() }).optional(),
});

function* linesOf(path: string): Iterable<z.infer<typeof LINE>> {
	for (const line of textOf(path).split("\n")) {
		try {
			const { data } = LINE.safeParse(JSON.parse(line));
			if (data !== undefined) yield data;
		} catch {
			// a line that somebody changed, or the end of a full disk
		}
	}
}

/** "" of one that somebody takes away now, or that can't be read: that must not keep a machine from its fleet. */
function textOf(path: string): string {
	try {
		return readFileSync(path, "utf8");
	} catch {
		return "";
	}
}
