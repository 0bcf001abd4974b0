/** What is kept of a body before it is read: copies, in order, counted once and given back once. */
import { expect, it } from "vitest";
import { EarlyChunks } from "../../../src/edge/request/early-chunks.ts";
import type { BodyShare } from "../../../src/edge/slow/body-memory.ts";

it("keeps copies in order, and counts them until they are taken", () => {
	let counted = 0;
	const share = { keep: (bytes: number) => (counted += bytes) } as unknown as BodyShare;
	const early = new EarlyChunks(share);
	const memory = new Uint8Array([1, 2, 3]).buffer;
	early.keep(memory);
	new Uint8Array(memory).fill(9);
	early.keep(new Uint8Array([4]).buffer);
	expect([early.bytes, counted]).toEqual([4, 4]);
	expect(early.take().map((chunk) => [...chunk])).toEqual([[1, 2, 3], [4]]);
	expect([early.bytes, counted, early.take()]).toEqual([0, 0, []]);
	early.keep(memory);
	expect([early.bytes, counted]).toEqual([3, 3]);
});

it("does without a share", () => {
	const early = new EarlyChunks(undefined);
	early.keep(new Uint8Array(2).buffer);
	expect(early.take()).toHaveLength(1);
});
