/** A connection without the front is what the library tells of it; `test/edge/refusals.test.ts` has real ones. */
import { expect, it } from "vitest";
import { LibraryConnection } from "../../src/http/library-connection.ts";
import type { HttpResponse } from "../../src/http/uws.ts";

const scene = (named?: { address: string; port: number }) => {
	const calls: string[] = [];
	const response = {
		getRemoteAddress: () => new Uint8Array([192, 0, 2, 1]).buffer,
		pause: () => calls.push("pause"),
		resume: () => calls.push("resume"),
	} as unknown as HttpResponse;
	return { calls, connection: new LibraryConnection(response, named) };
};

it("has the peer's address, or whom a proxy named", () => {
	const { connection } = scene();
	expect([connection.address, connection.port]).toEqual(["192.0.2.1", 0]);
	const named = scene({ address: "203.0.113.9", port: 5 }).connection;
	expect([named.address, named.port]).toEqual(["203.0.113.9", 5]);
});

it("pauses and goes on by the library, which starts its clock again by both", () => {
	const { calls, connection } = scene();
	connection.pause();
	connection.resume();
	connection.keepPaused();
	connection.renew();
	expect(calls).toEqual(["pause", "resume", "pause", "resume"]);
});

it("knows nothing else", () => {
	const { connection } = scene();
	expect([connection.acknowledgedBytes(), connection.bytesBeforeEnd()]).toEqual([-1, -1]);
	expect([connection.isFront, connection.isHttp10, connection.hasBadBody]).toEqual([
		false,
		false,
		false,
	]);
});
