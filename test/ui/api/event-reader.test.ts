/** Event streams, however they are cut into pieces. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { EventReader } from "../../../ui/api/event-reader.ts";

const STREAM =
	': hello\n\nevent: history\ndata: {"a":1}\n\nid: 7\ndata: one\ndata: two\n\nevent: nothing\n\nevent:end\r\ndata:x\r\n\r\nevent: cut';
const EVENTS = [
	{ event: "history", data: '{"a":1}' },
	{ event: "message", data: "one\ntwo" },
	{ event: "end", data: "x" },
];

it("reads events, drops comments and unknown fields, and keeps what is not complete", () => {
	expect(new EventReader().push(STREAM)).toEqual(EVENTS);
});

it("reads the same from any pieces", () => {
	fc.assert(
		fc.property(fc.array(fc.integer({ min: 0, max: STREAM.length })), (cuts) => {
			const reader = new EventReader();
			const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
			const found = places.flatMap((from, index) =>
				reader.push(STREAM.slice(from, places[index + 1] ?? from)),
			);
			expect(found).toEqual(EVENTS);
		}),
	);
});
