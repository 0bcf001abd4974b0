/**
 * One call between the records of the native client and a sink: the order that the interface promises,
 * whatever pushes back when, with bytes that are gone after each batch.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NativeCall } from "../../../src/upstream/native/call.ts";
import { KIND } from "../../../src/upstream/native/records.ts";
import { HandBody, memory, RecordingPort, RecordingSink, settle } from "./support.ts";

const NUMBER = 5;

/** A call under way, and what the native client may tell it. */
function underWay(body?: HandBody) {
	const port = new RecordingPort();
	const sink = new RecordingSink();
	const call = new NativeCall(port, sink, { body });
	const shared = memory();
	call.begin(NUMBER, false);
	return {
		port,
		sink,
		call,
		response(): void {
			shared.write(0, { kind: KIND.response, code: 200 });
			call.response(shared.records, 0);
		},
		data(text: string): void {
			shared.write(0, { kind: KIND.data, bodyOffset: shared.put(text), bodyLength: text.length });
			call.data(shared.records, 0);
			shared.spoil();
		},
		whole(text: string): void {
			const bodyOffset = shared.put(text);
			shared.write(0, { kind: KIND.whole, code: 201, bodyOffset, bodyLength: text.length });
			call.whole(shared.records, 0);
		},
	};
}

describe("what comes", () => {
	it("goes on as it is", () => {
		const made = underWay();
		made.response();
		made.data("a");
		made.data("b");
		made.call.end();
		expect(made.sink.heard).toEqual(["response 200  -1", "data a", "data b", "end"]);
		const short = underWay();
		short.whole("all");
		expect(short.sink.heard).toEqual(["whole 201  -1 all"]);
		expect([...made.port.called, ...short.port.called]).toEqual([]);
	});

	it("is counted while it is kept for a sink that pushes back", async () => {
		const made = underWay();
		made.sink.take = () => false;
		made.response();
		made.data("a");
		expect([made.call.heldBytes, made.call.holdsPlace]).toEqual([0, true]);
		made.data("bcd");
		made.data("ef");
		made.call.end();
		expect([made.call.heldBytes, made.call.holdsPlace]).toEqual([5, false]);
		made.sink.take = () => true;
		made.call.resume();
		await settle();
		expect(made.call.heldBytes).toBe(0);
		expect(made.sink.heard.at(-1)).toBe("end");
	});

	it("is followed by nothing, whatever is called after the end", async () => {
		for (const end of [
			(made: ReturnType<typeof underWay>) => made.whole("x"),
			(made: ReturnType<typeof underWay>) => made.call.end(),
			(made: ReturnType<typeof underWay>) => made.call.fail("broken", "x"),
			(made: ReturnType<typeof underWay>) => made.call.abort(),
		]) {
			const made = underWay();
			end(made);
			const { length } = made.sink.heard;
			const calls = made.port.called.length;
			made.call.abort();
			made.call.resume();
			made.response();
			made.data("late");
			made.whole("late");
			made.call.end();
			made.call.fail("broken", "late");
			made.call.failLater("broken", "later");
			await settle();
			expect(made.sink.heard.length).toBe(length);
			expect(made.port.called.length).toBe(calls);
		}
	});

	it("fails after send has returned where it never was sent, unless it is aborted", async () => {
		const sink = new RecordingSink();
		const call = new NativeCall(new RecordingPort(), sink, { body: undefined });
		call.failLater("connect", "closed");
		expect(sink.heard).toEqual([]);
		await settle();
		expect(sink.heard).toEqual(["error connect closed"]);
		const aborted = new NativeCall(new RecordingPort(), sink, { body: undefined });
		aborted.failLater("connect", "closed");
		aborted.abort();
		await settle();
		expect(sink.heard.length).toBe(1);
	});
});

describe("a sink that pushes back", () => {
	it("gets the rest of the batch after its resume, and the native client waits until then", async () => {
		const made = underWay();
		made.sink.take = (text) => text !== "a" && text !== "c";
		made.response();
		for (const text of ["a", "b", "c", "d"]) made.data(text);
		expect(made.sink.heard.slice(1)).toEqual(["data a"]);
		made.call.resume();
		made.call.resume();
		expect(made.sink.heard.length, "not from within resume").toBe(2);
		await settle();
		expect(made.sink.heard.slice(1)).toEqual(["data a", "data b", "data c"]);
		made.call.end();
		made.call.resume();
		await settle();
		expect(made.sink.heard.slice(4)).toEqual(["data d", "end"]);
		expect(new Set(made.port.called)).toEqual(new Set(["pause 5"]));
	});

	it("lets the native client go on at once where nothing is kept", () => {
		const made = underWay();
		made.sink.take = () => false;
		made.response();
		made.data("a");
		made.call.resume();
		expect(made.port.called).toEqual(["pause 5", "resume 5"]);
		made.data("b");
		expect(made.sink.heard).toContain("data b");
	});

	it("hears of an error at once, and of nothing that was kept", async () => {
		const made = underWay();
		made.sink.take = () => false;
		made.response();
		made.data("a");
		made.data("b");
		made.call.fail("broken", "gone");
		made.call.resume();
		await settle();
		expect(made.sink.heard.slice(1)).toEqual(["data a", "error broken gone"]);
	});

	it("that throws while it gets what was kept is aborted", async () => {
		const made = underWay();
		made.sink.take = () => false;
		made.response();
		made.data("a");
		made.data("b");
		made.data("c");
		made.sink.take = () => {
			throw new Error("sink");
		};
		const thrown = new Promise((resolve) => {
			const before = process.listeners("uncaughtException");
			process.removeAllListeners("uncaughtException");
			process.once("uncaughtException", (error) => {
				for (const listener of before) process.on("uncaughtException", listener);
				resolve(error.message);
			});
		});
		made.call.resume();
		expect(await thrown).toBe("sink");
		expect(made.sink.heard.slice(1)).toEqual(["data a", "data b"]);
		expect(made.port.called).toEqual(["pause 5", "abort 5"]);
	});

	it("loses nothing and hears nothing out of turn, whoever resumes when", async () => {
		const chunk = fc.record({
			pushBack: fc.boolean(),
			resumeWithin: fc.boolean(),
			/** turns of the event loop before it */
			pause: fc.nat(2),
			/** is resumed before the next record, if it has pushed back */
			resumeNext: fc.boolean(),
		});
		const chunks = fc.array(chunk, { minLength: 1, maxLength: 12 });
		const ending = fc.constantFrom("end", "fail", "abort");
		await fc.assert(
			fc.asyncProperty(chunks, ending, async (plan, how) => {
				const made = underWay();
				const { call, sink, port } = made;
				let pushedBack = false;
				const mistakes: string[] = [];
				sink.take = (text) => {
					if (pushedBack) mistakes.push(`${text} while pushed back`);
					const { pushBack = false, resumeWithin = false } = plan[Number(text)] ?? {};
					if (resumeWithin) call.resume();
					pushedBack = pushBack && !resumeWithin;
					return !pushBack;
				};
				const resume = (): void => {
					pushedBack = false;
					call.resume();
				};
				made.response();
				for (const [index, { pause, resumeNext }] of plan.entries()) {
					for (let turn = 0; turn < pause; turn += 1) await settle();
					if (pushedBack && resumeNext) resume();
					made.data(String(index));
				}
				if (how === "end") call.end();
				else if (how === "fail") call.fail("broken", "x");
				else call.abort();
				for (let round = 0; round <= plan.length; round += 1) {
					if (pushedBack) resume();
					await settle();
				}
				expect(mistakes).toEqual([]);
				const texts = sink.heard.filter((each) => each.startsWith("data"));
				expect(texts).toEqual(plan.slice(0, texts.length).map((_, index) => `data ${index}`));
				if (how === "end") expect(texts.length).toBe(plan.length);
				const last = { end: "end", fail: "error broken x", abort: sink.heard.at(-1) }[how];
				expect(sink.heard.at(-1)).toBe(last);
				expect(port.called.includes("abort 5")).toBe(how === "abort");
			}),
			{ numRuns: 300 },
		);
	});
});

describe("a request body", () => {
	it("begins when it is wanted, and is not touched by a call that is over", () => {
		const body = new HandBody();
		const made = underWay(body);
		expect(body.asked).toEqual([]);
		made.call.bodyWanted();
		body.push("a");
		made.port.hasRoom = false;
		body.push("b");
		made.call.bodyDrained();
		made.whole("early");
		body.push("c");
		body.end();
		made.call.bodyDrained();
		expect(made.port.called).toEqual(["write 5 a", "write 5 b"]);
		expect(body.asked).toEqual(["start", "pause", "resume"]);
	});

	it("of a response that waits to end takes no more either", () => {
		const body = new HandBody();
		const made = underWay(body);
		made.call.bodyWanted();
		made.sink.take = () => false;
		made.response();
		made.data("a");
		made.call.end();
		body.push("late");
		made.call.abort();
		expect(made.port.called).toEqual(["pause 5"]);
	});

	it("may begin within send, and is never started where there is none", () => {
		const body = new HandBody(3);
		new NativeCall(new RecordingPort(), new RecordingSink(), { body }).begin(1, true);
		expect(body.asked).toEqual(["start"]);
		const empty = new HandBody(0);
		new NativeCall(new RecordingPort(), new RecordingSink(), { body: empty }).begin(1, true);
		expect(empty.asked).toEqual([]);
	});
});
