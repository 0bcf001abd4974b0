/** The bar is written at its pace, and on a terminal alone. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ProgressBar } from "../../../src/process/replay/progress-bar.ts";

it("tells how far it has got and how long it will take, and goes away", () => {
	const written: string[] = [];
	let nowMs = 0;
	const bar = new ProgressBar(
		100e6,
		(text) => written.push(text),
		() => nowMs,
	);
	bar.tell(1, 1);
	nowMs = 1000;
	bar.tell(25e6, 50_000);
	nowMs += LIMITS.replayBarMs - 1;
	bar.tell(26e6, 51_000);
	bar.clear();
	expect(written).toEqual([
		"\r\u001b[K[#######.......................] 25 %, 3 s left, 50000 requests, 25 MB/s",
		"\r\u001b[K",
	]);
});

it("counts what has no end, and is silent without a terminal", () => {
	const written: string[] = [];
	let nowMs = 0;
	const clock = () => nowMs;
	const endless = new ProgressBar(undefined, (text) => written.push(text), clock);
	const silent = new ProgressBar(1, undefined, clock);
	nowMs = 2000;
	endless.tell(10e6, 7);
	silent.tell(1, 1);
	silent.clear();
	expect(written).toEqual(["\r\u001b[K10 MB, 7 requests, 5 MB/s"]);
});
