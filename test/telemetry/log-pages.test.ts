/** Lines in pages: whole, in order, within the bound, which counts what is being written. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { LogPages } from "../../src/telemetry/log-pages.ts";

it("takes what fits by its bytes and gives it back in order, by any way of coming and going", () => {
	const text = fc.oneof(
		fc.string({ unit: "binary", maxLength: 50 }),
		fc
			.tuple(fc.constantFrom("x", "é", "\u2028", "😀", "\ud83d"), fc.nat(120_000))
			.map(([unit, times]) => unit.repeat(times)),
	);
	const step = fc.oneof(
		fc.record({ text, isBytes: fc.boolean() }),
		fc.constantFrom("take", "give back" as const),
	);
	fc.assert(
		fc.property(
			fc.array(step, { maxLength: 60 }),
			fc.constantFrom(100, 300_000, 900_000),
			(steps, most) => {
				const pages = new LogPages(most);
				const taken: string[] = [];
				const given: string[] = [];
				const out: NonNullable<ReturnType<typeof pages.take>>[] = [];
				let held = 0;
				const take = () => {
					const page = pages.take();
					if (page === undefined) return;
					given.push(page.bytes.toString("utf8", 0, page.length));
					out.push(page);
				};
				for (const each of steps) {
					if (each === "take") take();
					else if (each === "give back") {
						const page = out.shift();
						held -= page?.length ?? 0;
						if (page !== undefined) pages.giveBack(page);
					} else {
						const bytes = Buffer.from(each.text);
						const fits = held + bytes.length <= most;
						const wasTaken = each.isBytes
							? pages.addBytes(bytes, bytes.length)
							: pages.addText(each.text);
						expect(wasTaken).toBe(fits);
						if (!fits) continue;
						held += bytes.length;
						taken.push(bytes.toString());
					}
				}
				while (!pages.isEmpty) take();
				expect(given.join("")).toBe(taken.join(""));
			},
		),
		{ numRuns: 200 },
	);
});

it("says where lines end and begin", () => {
	const pages = new LogPages(1000);
	for (const line of ["aa\n", "b\n", "ccccc\n"]) pages.addText(line);
	const page = pages.take();
	if (page === undefined) throw new Error("there is none");
	expect([0, 2, 3, 4, 5].map((start) => page.pieceEnd(start, 5))).toEqual([5, 5, 5, 5, 11]);
	expect([page.pieceEnd(0, 4), page.pieceEnd(0, 11), page.pieceEnd(3, undefined)]).toEqual([
		3, 11, 11,
	]);
	expect([0, 1, 2, 3, 4, 5, 6, 11].map((at) => page.lineStart(at))).toEqual([
		0, 3, 3, 3, 5, 5, 11, 11,
	]);
	expect([page.linesBetween(0, 11), page.linesBetween(0, 2), page.linesBetween(3, 5)]).toEqual([
		3, 0, 1,
	]);
});

it("uses a page again, and says when one is full", () => {
	const pages = new LogPages(10 * LIMITS.logBatchBytes);
	const line = "x".repeat(LIMITS.logBatchBytes / 4);
	for (let each = 0; each < 4; each++) pages.addText(line);
	expect([pages.isEmpty, pages.hasFull]).toEqual([false, false]);
	pages.addText("more");
	expect(pages.hasFull).toBe(true);
	const first = pages.take();
	if (first === undefined) throw new Error("there is none");
	expect([first.lines, first.length]).toEqual([4, LIMITS.logBatchBytes]);
	pages.giveBack(first);
	for (let each = 0; each < 4; each++) pages.addText(line);
	expect(pages.take()?.lines).toBe(4);
	expect(pages.take()?.bytes).toBe(first.bytes);
	pages.clear();
	expect([pages.isEmpty, pages.take()]).toEqual([true, undefined]);
});
