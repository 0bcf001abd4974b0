/** Proves that a body is started once, held back, and passed to the attempt that is under way. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { BodyFeed } from "../../../src/upstream/undici/body.ts";
import type { RequestBody } from "../../../src/upstream/upstream.ts";

class TestBody implements RequestBody {
	readonly length = -1;
	readonly touched = false;
	starts = 0;
	paused = false;
	sink: Parameters<RequestBody["start"]>[0] | undefined;
	start(sink: Parameters<RequestBody["start"]>[0]): void {
		this.starts += 1;
		this.sink = sink;
	}
	pause(): void {
		this.paused = true;
	}
	resume(): void {
		this.paused = false;
	}
}

test("nothing is read from the client before the stream is read", () => {
	const body = new TestBody();
	const stream = new BodyFeed(body).open();
	expect(body.starts).toBe(0);
	stream.read(0);
	expect(body.starts).toBe(1);
});

test("a full stream pauses the client, a read one lets it go on", () => {
	const body = new TestBody();
	const feed = new BodyFeed(body);
	const stream = feed.open();
	stream.read(0);
	body.sink?.onChunk(Buffer.alloc(10_000));
	expect(feed.pushedBack).toBe(false);
	body.sink?.onChunk(Buffer.alloc(100_000));
	expect(body.paused).toBe(true);
	expect(feed.pushedBack).toBe(true);
	expect(stream.read().length).toBe(110_000);
	expect(body.paused).toBe(false);
	expect(feed.pushedBack).toBe(false);
});

test("a second attempt gets the body that the first never saw", async () => {
	const body = new TestBody();
	const feed = new BodyFeed(body);
	feed.open().read(0);
	const second = feed.open();
	const text = (async () => {
		let all = "";
		for await (const chunk of second) all += chunk;
		return all;
	})();
	body.sink?.onChunk(Buffer.from("hello"));
	body.sink?.onEnd();
	expect(await text).toBe("hello");
	expect(body.starts).toBe(1);
});

test("an empty body that ended during the first attempt ends the second, too", async () => {
	const body = new TestBody();
	const feed = new BodyFeed(body);
	feed.open().read(0);
	body.sink?.onEnd();
	const second = feed.open();
	second.resume();
	await once(second, "end");
	expect(body.starts).toBe(1);
});

test("after the stop nothing is started, passed on or resumed", () => {
	const body = new TestBody();
	const feed = new BodyFeed(body);
	const stream = feed.open();
	feed.stop();
	stream.read(0);
	expect(body.starts).toBe(0);
	expect(stream.destroyed).toBe(true);
	const started = new BodyFeed(body);
	started.open().read(0);
	started.stop();
	body.sink?.onChunk(Buffer.alloc(1_000_000));
	body.sink?.onEnd();
	expect(body.paused).toBe(false);
});
