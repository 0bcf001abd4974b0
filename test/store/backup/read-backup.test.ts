/** A backup is taken whole or not at all: whatever byte is another, it is refused with a sentence. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readBackup } from "../../../src/store/backup/read-backup.ts";
import { StoreError } from "../../../src/store/store-error.ts";
import { ABOUT, backupOf, fileOf, storeWith } from "./files.ts";

const read = (content: string | Buffer) => readBackup(fileOf(content), () => {});

describe("a backup", () => {
	it("says what is in it", async () => {
		const text = await backupOf(await storeWith(3));
		const taken: string[] = [];
		const summary = readBackup(fileOf(text), ({ key }) => taken.push(key));
		expect(summary).toEqual({
			edges: 1,
			routes: 3,
			policies: 4,
			keys: 1,
			lists: 0,
			entries: taken.length,
			bytes: Buffer.byteLength(text),
			header: { layout: 1, ...ABOUT },
		});
	});

	it("in which any byte is another, or is missing, or which goes on, is refused", async () => {
		const bytes = Buffer.from(await backupOf(await storeWith(1)));
		const position = fc.oneof(
			fc.nat(bytes.length - 1),
			fc.nat(1000),
			fc.nat(500).map((back) => bytes.length - 1 - back),
		);
		const refusal = (content: Buffer): unknown => {
			try {
				return read(content);
			} catch (error) {
				return error;
			}
		};
		fc.assert(
			fc.property(position, fc.integer({ min: 1, max: 255 }), (at, change) => {
				const other = Buffer.from(bytes);
				other[at] = (other[at] ?? 0) ^ change;
				expect(refusal(other)).toBeInstanceOf(StoreError);
				expect(refusal(bytes.subarray(0, at))).toBeInstanceOf(StoreError);
				expect(refusal(Buffer.concat([bytes, Buffer.from([change])]))).toBeInstanceOf(StoreError);
			}),
			{ numRuns: 60 },
		);
	});

	it.each<[string | Buffer, string]>([
		["", "FILE is no backup of weir"],
		["settings: 1\n", "FILE is no backup of weir"],
		[Buffer.alloc(1_000_000), "FILE is no backup of weir"],
		['weir-backup 7 {"layout":1,"weir":"9.0.0","created":""}\n', "made by weir 9.0.0"],
	])("is not %#", (content, words) => {
		expect(() => read(content)).toThrow(words);
	});

	it("that is damaged says where", async () => {
		const text = await backupOf(await storeWith(2));
		const lines = text.split("\n");
		const without = (index: number) => lines.filter((_line, at) => at !== index).join("\n");
		const swapped = [...lines];
		[swapped[4], swapped[5]] = [lines[5] ?? "", lines[4] ?? ""];
		expect(() => read(text.replace("deny", "devy"))).toThrow(/line \d+, p\/e\/r0, does not fit/);
		expect(() => read(without(3))).toThrow(/entries where/);
		expect(() => read(swapped.join("\n"))).toThrow("is out of order");
		expect(() => read(text.replace("!version\t", "!owner\t"))).toThrow("line 3 is no entry");
		for (const more of ["\n", "x", "x\n", text])
			expect(() => read(text + more)).toThrow("goes on behind its last line");
		expect(() => read(text.slice(0, 300))).toThrow("cut short");
		expect(() => read(text.replace("0.0.0", "0.0.1"))).toThrow("does not fit its digest");
	});
});
