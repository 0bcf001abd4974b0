/** A backend's 101 as undici hands it over: told with its header, or given up. */
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { tellUpgrade, UpgradedStream } from "../../../src/upstream/undici/upgraded-stream.ts";
import type { ResponseSink } from "../../../src/upstream/upstream.ts";

const lines = (...texts: string[]): Uint8Array[] => texts.map((text) => Buffer.from(text));

function told(headers: Uint8Array[] | null, wants = true) {
	const stream = new PassThrough();
	const heard: unknown[] = [];
	const sink = {
		onError: (failure: string, message: string) => heard.push([failure, message]),
		...(wants ? { onUpgrade: ({ passed }: { passed: string }) => heard.push(passed) } : {}),
	} as unknown as ResponseSink;
	tellUpgrade(sink, headers, new UpgradedStream(stream));
	return { heard, stream };
}

it("is told with the lines that pass", () => {
	const { heard, stream } = told(lines("Upgrade", "foo", "X-A", "1 \t", "connection", "upgrade"));
	expect(heard).toEqual(["X-A: 1"]);
	expect(stream.destroyed).toBe(false);
});

it("a header that is none ends it", () => {
	const { heard, stream } = told(lines("X A", "1"));
	expect(heard).toEqual([["broken", expect.stringContaining("header")]]);
	expect(stream.destroyed).toBe(true);
});

it("is dropped where nobody waits for it any more", () => {
	const stream = new PassThrough();
	tellUpgrade(undefined, null, new UpgradedStream(stream));
	expect(stream.destroyed).toBe(true);
});

it("an abort does nothing once somebody reads it; an error before has a listener", () => {
	const stream = new PassThrough();
	const backend = new UpgradedStream(stream);
	stream.on("data", () => {});
	backend.abort();
	expect(stream.destroyed).toBe(false);
	expect(() => stream.emit("error", new Error("reset"))).not.toThrow();
});
