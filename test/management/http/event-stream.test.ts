/** A stream holds what one event left over and no more, and ends in order or at once. */
import { describe, expect, it, vi } from "vitest";
import { EventStream } from "../../../src/management/http/event-stream.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A client whose socket is full, or has room, as the test says. */
function client() {
	const written: string[] = [];
	let isFull = false;
	let writable: (offset: number) => boolean = () => true;
	const over = vi.fn();
	const calls = { ended: 0, closed: 0, answered: [] as boolean[] };
	const response = {
		cork: (write: () => void) => write(),
		write: (chunk: Uint8Array) => {
			written.push(new TextDecoder().decode(chunk));
			return !isFull;
		},
		end: () => void calls.ended++,
		close: () => void calls.closed++,
		onWritable: (handler: (offset: number) => boolean) => {
			writable = handler;
		},
	};
	const answered = (last: boolean) => void calls.answered.push(last);
	const stream = new EventStream({ response, answered, reasonToEnd: () => undefined }, true, over);
	return {
		...{ stream, written, over, calls },
		fill: () => {
			isFull = true;
		},
		drain: () => {
			isFull = false;
			writable(0);
		},
	};
}

describe("a stream", () => {
	it("sends what fits the library's buffer at a time, and goes on when there is room", () => {
		const { stream, written, fill, drain } = client();
		const long = "x".repeat(40_000);
		fill();
		expect(stream.send(bytes(long))).toBe(true);
		expect(written).toHaveLength(1);
		expect(stream.fullMs(performance.now() + 50)).toBeGreaterThanOrEqual(50);
		expect(stream.send(bytes("lost"))).toBe(false);
		drain();
		expect(written.join("")).toBe(long);
		expect(Math.max(...written.map((each) => each.length))).toBeLessThan(16_384);
		expect(stream.fullMs(performance.now())).toBe(0);
		expect(stream.send(bytes("next"))).toBe(true);
		expect(written.at(-1)).toBe("next");
	});

	it("ends with its last event", () => {
		const { stream, written, calls, over } = client();
		stream.end(bytes("bye"));
		stream.end(bytes("again"));
		expect(written).toEqual(["bye"]);
		expect(calls).toEqual({ ended: 1, closed: 0, answered: [true] });
		expect(over).toHaveBeenCalledTimes(1);
		expect(stream.send(bytes("late"))).toBe(false);
	});

	it("ends at once where the client does not read", () => {
		const { stream, calls, fill, over } = client();
		fill();
		stream.send(bytes("a"));
		stream.end(bytes("bye"));
		expect(calls).toEqual({ ended: 0, closed: 1, answered: [] });
		expect(over).toHaveBeenCalledTimes(1);
	});

	it("touches nothing once the client is gone", () => {
		const { stream, written, calls, over, fill, drain } = client();
		fill();
		stream.send(bytes("x".repeat(40_000)));
		stream.gone();
		drain();
		stream.giveUp();
		expect([written.length, calls.closed, stream.isOver]).toEqual([1, 0, true]);
		expect(over).toHaveBeenCalledTimes(1);
	});
});
