/** Segments of one family of addresses: where they begin, and the length of the prefix that covers them. */
import { expect, test } from "vitest";
import { SegmentsBuilder } from "../../src/http/address-segments.ts";

test("IPv4: nested ranges, ranges side by side, and the last address of all", () => {
	const builder = new SegmentsBuilder(1);
	builder.add([0x0a00, 0], 8);
	builder.add([0x0a00, 0], 16);
	builder.add([0x0a01, 0], 16);
	builder.add([0xffff, 0xffff], 32);
	const segments = builder.finish();
	const at = (first: number) => segments.lengthAt(first, 0, 0, 0);
	expect(
		[0, 0x09ff_ffff, 0x0a00_0000, 0x0a01_ffff, 0x0a02_0000, 0x0aff_ffff, 0x0b00_0000].map(at),
	).toEqual([-1, -1, 16, 16, 8, 8, -1]);
	expect([0xffff_fffe, 0xffff_ffff].map(at)).toEqual([-1, 32]);
});

test("IPv6: all four words count, and a carry runs through them", () => {
	const builder = new SegmentsBuilder(4);
	builder.add([0, 0, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff], 128);
	builder.add([1, 2, 3, 4, 5, 6, 7, 0], 112);
	const segments = builder.finish();
	const most = 0xffff_ffff;
	expect(segments.lengthAt(0, most, most, most)).toBe(128);
	expect(segments.lengthAt(1, 0, 0, 0)).toBe(-1);
	expect(segments.lengthAt(0x1_0002, 0x3_0004, 0x5_0006, 0x7_0000)).toBe(112);
	expect(segments.lengthAt(0x1_0002, 0x3_0004, 0x5_0006, 0x7_ffff)).toBe(112);
	expect(segments.lengthAt(0x1_0002, 0x3_0004, 0x5_0006, 0x8_0000)).toBe(-1);
	expect(segments.lengthAt(0x1_0002, 0x3_0004, 0x5_0005, 0x7_0000)).toBe(-1);
});
