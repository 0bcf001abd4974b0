/** What a connection tells of its requests, and when it tells the addon of an answer; real ones are in `front.test.ts`. */
import { expect, it, vi } from "vitest";
import { FrontConnection } from "../../src/http/front-connection.ts";
import { addon } from "../../src/native-addon.ts";

const AT = addon.frontLayout;
const SLOT = 2;

const scene = (port = 0) => {
	const turns = new Uint8Array(4);
	const facts = { handle: 77, slot: SLOT, address: "192.0.2.1", port, startMs: 5 };
	const goOnSoon = vi.fn();
	const connection = new FrontConnection(facts, turns, goOnSoon);
	return { turns, goOnSoon, connection };
};

it("clears its turn without a call where nothing waits for the answer", () => {
	const { turns, goOnSoon, connection } = scene();
	const told = vi.spyOn(addon, "answeredRequest").mockReturnValue(true);
	try {
		turns[SLOT] = AT.pending;
		connection.answered(false);
		expect([turns[SLOT], told.mock.calls]).toEqual([0, []]);
		// Something waits, or the connection ends.
		turns[SLOT] = AT.pending | 2;
		connection.answered(false);
		turns[SLOT] = AT.pending;
		connection.answered(true);
		expect(told.mock.calls).toEqual([
			[77, false],
			[77, true],
		]);
		expect(goOnSoon).toHaveBeenCalledTimes(2);
		told.mockReturnValue(false);
		connection.answered(true);
		expect(goOnSoon).toHaveBeenCalledTimes(2);
	} finally {
		told.mockRestore();
	}
});

it("has its client paused again after a write that the socket did not take", () => {
	const { connection } = scene();
	const kept = vi.spyOn(addon, "keepPaused").mockReturnValue(undefined);
	try {
		connection.keepPaused();
		expect(kept.mock.calls).toEqual([[77]]);
	} finally {
		kept.mockRestore();
	}
});

it("reads the flags of the pending request", () => {
	const { turns, connection } = scene(1234);
	expect([connection.isHttp10, connection.saysKeepAlive, connection.expectsContinue]).toEqual([
		false,
		false,
		false,
	]);
	connection.flags = AT.http10 | AT.last;
	expect([connection.isHttp10, connection.saysKeepAlive]).toEqual([true, false]);
	connection.flags = AT.http10;
	expect(connection.saysKeepAlive).toBe(true);
	connection.flags = AT.expectsContinue;
	expect(connection.expectsContinue).toBe(true);
	expect(connection.hasBadBody).toBe(false);
	turns[SLOT] = AT.pending | AT.badBody;
	expect(connection.hasBadBody).toBe(true);
	expect(connection.port).toBe(1234);
});
