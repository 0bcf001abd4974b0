/** Lines of files, whole, compressed, torn apart, and too long. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import {
	inOrderOfTime,
	LineSplitter,
	logFile,
	readLog,
} from "../../../src/process/replay/log-lines.ts";
import { jsonLine } from "../../replay/lines.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-replay-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function collecting(): { splitter: LineSplitter; lines: string[]; long: number[] } {
	const [lines, long]: [string[], number[]] = [[], []];
	const take = (line: string, number: number) => lines.push(`${number} ${line}`);
	return { splitter: new LineSplitter(take, (number) => long.push(number)), lines, long };
}

describe("pieces", () => {
	it("are lines wherever they are torn apart", () => {
		const text = fc.array(fc.constantFrom("a", "ü", "\n", "\r\n", "€")).map((all) => all.join(""));
		fc.assert(
			fc.property(text, fc.array(fc.nat(40)), (whole, cuts) => {
				const bytes = Buffer.from(whole);
				const { splitter, lines } = collecting();
				const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b)];
				let from = 0;
				for (const end of [...ends, bytes.length]) {
					splitter.add(bytes.subarray(from, end));
					from = end;
				}
				splitter.end();
				const wanted = whole.split(/\r?\n/);
				if (wanted.at(-1) === "") wanted.pop();
				expect(lines).toEqual(wanted.map((line, at) => `${at + 1} ${line}`));
			}),
		);
	});

	it("hold no line that is longer than any can be", () => {
		const { splitter, lines, long } = collecting();
		const half = Buffer.alloc(LIMITS.replayLineBytes / 2 + 1, "x");
		for (const piece of [Buffer.from("a\n"), half, half, half, Buffer.from("\nb")])
			splitter.add(piece);
		splitter.end();
		expect([lines, long]).toEqual([["1 a", "3 b"], [2]]);
	});
});

describe("files", () => {
	const file = (name: string, ...lines: readonly string[]): string => {
		const path = join(folder, name);
		const text = lines.map((line) => `${line}\n`).join("");
		writeFileSync(path, name.endsWith(".gz") ? gzipSync(text) : text);
		return path;
	};
	const read = async (path: string, ended = new AbortController().signal): Promise<string[]> => {
		const { splitter, lines } = collecting();
		await readLog(logFile(path), splitter, () => {}, ended);
		return lines;
	};

	it("are read as they are, and decompressed", async () => {
		expect(await read(file("a.log", "x", "y"))).toEqual(["1 x", "2 y"]);
		expect(await read(file("a.log.gz", "x", "y"))).toEqual(["1 x", "2 y"]);
		expect(await read(file("b.log.gz", "x", "y"), AbortSignal.abort())).toEqual([]);
	});

	it("say why they can't be read", async () => {
		const broken = join(folder, "broken.gz");
		writeFileSync(broken, "no gzip");
		await expect(read(broken)).rejects.toMatchObject({ code: "Z_DATA_ERROR" });
		expect(() => logFile(folder)).toThrow("it is a folder");
		expect(() => logFile(join(folder, "none"))).toThrow("ENOENT");
	});

	it("are put in the order of time", async () => {
		const paths = [
			file("now.log", "", jsonLine(9000)),
			file("before.log.gz", jsonLine(1000)),
			file("between.log", "{", jsonLine(5000)),
		];
		const sorted = await inOrderOfTime(paths.map(logFile));
		expect(sorted.map(({ path }) => path)).toEqual([paths[1], paths[2], paths[0]]);
		const unknown = [...paths, file("other.log", "x")].map(logFile);
		expect(await inOrderOfTime(unknown)).toEqual(unknown);
	});
});
