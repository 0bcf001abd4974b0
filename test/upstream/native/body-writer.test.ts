/** A request body's way into the native client: begun once, held back and let go, ignored when it is too late. */
import { expect, it } from "vitest";
import { BodyWriter } from "../../../src/upstream/native/body-writer.ts";
import { HandBody, RecordingPort } from "./support.ts";

const setUp = () => {
	const body = new HandBody();
	const port = new RecordingPort();
	return { body, port, writer: new BodyWriter(body, port) };
};

it("starts the body once, however often it is wanted", () => {
	const { body, port, writer } = setUp();
	writer.wanted(7);
	writer.wanted(7);
	body.push("a");
	body.push("b");
	body.end();
	expect(body.asked).toEqual(["start"]);
	expect(port.called).toEqual(["write 7 a", "write 7 b", "finish 7"]);
});

it("holds the body back once until there is room, and passes on what comes all the same", () => {
	const { body, port, writer } = setUp();
	writer.wanted(1);
	port.hasRoom = false;
	body.push("a");
	body.push("b");
	expect(body.asked).toEqual(["start", "pause"]);
	expect(port.called).toEqual(["write 1 a", "write 1 b"]);
	port.hasRoom = true;
	writer.drained();
	writer.drained();
	body.push("c");
	expect(body.asked).toEqual(["start", "pause", "resume"]);
});

it("tells who waits for it of each attempt, and that the backend asks, unless it is stopped", () => {
	const told: string[] = [];
	const expects = {
		onAttempt: () => told.push("attempt"),
		onContinue: () => told.push("continue"),
	};
	const body = new HandBody();
	const writer = new BodyWriter(body, new RecordingPort(), expects);
	writer.wanted(1);
	writer.wanted(1);
	writer.continues();
	writer.stop();
	writer.wanted(1);
	writer.continues();
	expect(told).toEqual(["attempt", "attempt", "continue"]);
	expect(body.asked).toEqual(["start"]);
	setUp().writer.continues();
});

it("takes no more of a body that is stopped, and never starts it", () => {
	const { body, port, writer } = setUp();
	writer.wanted(1);
	port.hasRoom = false;
	body.push("a");
	writer.stop();
	body.push("b");
	body.end();
	writer.drained();
	expect(port.called).toEqual(["write 1 a"]);
	expect(body.asked).toEqual(["start", "pause"]);

	const late = setUp();
	late.writer.stop();
	late.writer.wanted(1);
	expect(late.body.asked).toEqual([]);
});

it("may be pushed to and ended while it starts", () => {
	const { port } = setUp();
	const eager = new HandBody();
	eager.start = (sink) => {
		sink.onChunk(Buffer.from("all"));
		sink.onEnd();
	};
	new BodyWriter(eager, port).wanted(3);
	expect(port.called).toEqual(["write 3 all", "finish 3"]);
});
