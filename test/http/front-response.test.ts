/** What the front's response has the addon send, in how few calls, and that it keeps away from what is not its own. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FrontConnection } from "../../src/http/front-connection.ts";
import { FrontResponse } from "../../src/http/front-response.ts";
import { addon } from "../../src/native-addon.ts";

const SENDS = [
	...(["sendText", "sendWhole", "sendRecord", "sendHead"] as const),
	...(["sendLastChunk", "closeClient"] as const),
];
const calls: unknown[][] = [];
let takes = Number.POSITIVE_INFINITY;
beforeEach(() => {
	calls.length = 0;
	takes = Number.POSITIVE_INFINITY;
	for (const name of SENDS) {
		vi.spyOn(addon, name).mockImplementation((...given: unknown[]) => {
			calls.push([name, ...given]);
		});
	}
	vi.spyOn(addon, "sendChunk").mockImplementation((...given) => {
		calls.push(["sendChunk", ...given]);
		return takes > 0;
	});
	vi.spyOn(addon, "sendPiece").mockImplementation((...given) => {
		calls.push(["sendPiece", ...given]);
		return Math.min(takes, given[3].byteLength);
	});
});
afterEach(() => {
	vi.restoreAllMocks();
});

const scene = () => {
	const facts = { handle: 7, slot: 0, address: "192.0.2.1", port: 1, startMs: 0, tls: "" };
	const connection = new FrontConnection(facts, new Uint8Array(1), () => {});
	const response = new FrontResponse(connection);
	connection.response = response;
	return { connection, response };
};
const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

it("sends a whole answer by one call", () => {
	const { response } = scene();
	response.cork(() => {
		response.writeStatus("200 OK").writeHeader("a", "1").writeHeader("b", bytes("\xe9"));
		response.end("body");
	});
	expect(calls).toEqual([["sendWhole", 7, "200 OK\r\na: 1\r\nb: \xe9", "body"]]);
});

it("has a backend's answer sent from where it is", () => {
	const { response, connection } = scene();
	response.sendRecord("200 OK", 3);
	expect(connection.response).toBeUndefined();
	expect(calls).toEqual([["sendRecord", 7, "200 OK", 3]]);
});

it("sends text that stands in a header as UTF-8", () => {
	const { response } = scene();
	response.writeStatus(bytes("200 OK\r\nx: \xff")).writeHeader("a", "é");
	response.end();
	expect(calls).toEqual([
		["sendWhole", 7, "200 OK\r\nx: \xff\r\na: \xc3\xa9", expect.any(Uint8Array)],
	]);
});

it("sends a head alone where there is no body", () => {
	const { response } = scene();
	response.writeStatus("304 Not Modified").endWithoutBody();
	expect(calls).toEqual([["sendHead", 7, "304 Not Modified", addon.frontLayout.unframed]]);
});

it("sends chunks, the first with the head", () => {
	const { response } = scene();
	response.writeStatus("200 OK");
	expect(response.write(bytes("ab"))).toBe(true);
	takes = 0;
	expect(response.write(bytes("cd"))).toBe(false);
	response.end();
	expect(calls).toEqual([
		["sendChunk", 7, "200 OK", bytes("ab")],
		["sendChunk", 7, "", bytes("cd")],
		["sendLastChunk", 7],
	]);
});

it("ends with the last byte of a known length that was taken", () => {
	const { response, connection } = scene();
	response.writeStatus("200 OK");
	takes = 3;
	expect(response.tryEnd(bytes("abcde"), 5)).toEqual([false, false]);
	expect(response.getWriteOffset()).toBe(3);
	expect(connection.response).toBe(response);
	expect(response.tryEnd(bytes("de"), 5)).toEqual([true, true]);
	expect(connection.response).toBeUndefined();
	expect(calls).toEqual([
		["sendPiece", 7, "200 OK", 5, bytes("abcde")],
		["sendPiece", 7, "", 5, bytes("de")],
	]);
});

it("does nothing to the next request of its connection", () => {
	const { response, connection } = scene();
	const gone = vi.fn();
	response.onAborted(gone);
	response.sendText("200 OK\r\n\r\n");
	const next = new FrontResponse(connection);
	connection.response = next;
	calls.length = 0;
	response.writeStatus("500 Late").end("late");
	response.endWithoutBody();
	response.sendText("late");
	response.sendRecord("200 Late", 1);
	response.close();
	expect(response.write(bytes("late"))).toBe(true);
	expect(response.tryEnd(bytes("late"), 4)).toEqual([true, false]);
	response.gone();
	expect([calls, gone.mock.calls, connection.response === next]).toEqual([[], [], true]);
});

it("tells once that its client has gone, and hands on body and room until then", () => {
	const { response } = scene();
	const heard: unknown[] = [];
	response.onData((chunk, isLast) => heard.push([chunk.byteLength, isLast]));
	response.onWritable((offset) => heard.push(offset) > 0);
	response.onAborted(() => heard.push("gone"));
	response.received(bytes("abc"), false);
	response.writable();
	response.gone();
	response.gone();
	expect(heard).toEqual([[3, false], 0, "gone"]);
});

it("tells whoever asked last, by a function or by itself", () => {
	const heard: string[] = [];
	const ask = [
		(response: FrontResponse) => response.onAborted(() => heard.push("function")),
		(response: FrontResponse) => response.onLeaving({ clientLeft: () => heard.push("itself") }),
	];
	for (const order of [ask, [...ask].reverse()]) {
		const { response } = scene();
		for (const each of order) each(response);
		response.gone();
		response.gone();
	}
	expect(heard).toEqual(["itself", "function"]);
});
