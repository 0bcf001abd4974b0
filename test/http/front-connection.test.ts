/** What a connection tells of its requests, and when it tells the addon of an answer; real ones are in `front.test.ts`. */
import { expect, it, vi } from "vitest";
import { FrontConnection } from "../../src/http/front-connection.ts";
import { addon } from "../../src/native-addon.ts";

const AT = addon.frontLayout;
const SLOT = 2;

const scene = (port = 0) => {
	const turns = new Uint8Array(4);
	const tls = "1.3\0Shop.Example.\0t13d010200_1301_002b";
	const facts = { handle: 77, slot: SLOT, address: "192.0.2.1", port, startMs: 5, tls };
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

it("asks the addon for what it knows of its client", () => {
	const { connection } = scene();
	const asked = vi.spyOn(addon, "bytesOfClient").mockImplementation((_, out) => (out ? 7 : 5));
	try {
		expect([connection.bytesIn, connection.bytesOut]).toEqual([5, 7]);
		expect(asked.mock.calls).toEqual([
			[77, false],
			[77, true],
		]);
	} finally {
		asked.mockRestore();
	}
});

it("reads the flags of the pending request", () => {
	const { turns, connection } = scene(1234);
	expect([connection.isHttp10, connection.connectionField, connection.expectsContinue]).toEqual([
		false,
		"",
		false,
	]);
	connection.flags = AT.last;
	expect(connection.connectionField).toBe("close");
	connection.flags = AT.http10 | AT.last;
	expect([connection.isHttp10, connection.connectionField]).toEqual([true, "close"]);
	connection.flags = AT.http10;
	expect(connection.connectionField).toBe("keep-alive");
	connection.flags = AT.expectsContinue;
	expect(connection.expectsContinue).toBe(true);
	expect(connection.hasBadBody).toBe(false);
	turns[SLOT] = AT.pending | AT.badBody;
	expect(connection.hasBadBody).toBe(true);
	expect(connection.port).toBe(1234);
});

it("tells what its client said in its ClientHello, and how many bytes have come, also when it is closed", () => {
	const { connection } = scene();
	expect([connection.tls.version, connection.tls.serverName]).toEqual(["1.3", "shop.example"]);
	const counted = vi.spyOn(addon, "bytesOfClient").mockReturnValueOnce(-1).mockReturnValueOnce(70);
	try {
		counted.mockReturnValue(-1);
		expect([connection.bytesIn, connection.bytesIn, connection.bytesIn]).toEqual([-1, 70, 70]);
	} finally {
		counted.mockRestore();
	}
});
