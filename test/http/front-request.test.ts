/** What all who serve requests read of one that the front hands over: line, fields as bytes, and why it is none. */
import { expect, it } from "vitest";
import { Front } from "../../src/http/front.ts";
import { type FrontRefusal, FrontRequest } from "../../src/http/front-request.ts";
import { frontListener } from "./front-listener.ts";

const opened = Front.open();
if (opened === undefined) throw new Error("there is no front on this machine");
const front = opened;

interface Seen {
	readonly refused: FrontRefusal | undefined;
	readonly line: readonly [string, string, string | undefined];
	/** lines of a plain one, or those told one by one */
	readonly lines: string | readonly (readonly [string, string])[];
}

class Reader extends FrontRequest {
	read(): Seen {
		const refused = this.refused();
		const lines: [string, string][] = [];
		if (refused === undefined && this.isPlain) this.readPlainLine();
		else if (refused === undefined) this.readLines((...line) => lines.push(line), "own:1");
		return {
			refused,
			line: [this.method, this.rawPath, this.rawQuery],
			lines: refused === undefined && this.isPlain ? this.plainLines : lines,
		};
	}
}

const heard: Seen[] = [];
const reader = new Reader(front);
const TIMES = { requestHeaderMs: 10_000, idleMs: 10_000 };
const send = frontListener(
	front,
	{ ...TIMES, requestHeaderBytes: 65_536, lingerBytes: 1 },
	(response, client) => {
		heard.push(reader.read());
		response.end("ok");
		client.answered(true);
	},
);

const ask = async (bytes: string): Promise<Seen | undefined> => {
	await send(bytes);
	return heard.pop();
};

it("a plain request has its lines in one text", async () => {
	expect(
		await ask("GET /a?b?c HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nContent-Length: 0\r\n\r\n"),
	).toEqual({
		refused: undefined,
		line: ["GET", "/a", "b?c"],
		lines: "host: h\r\nx-a: 1\r\ncontent-length: 0\r\n",
	});
});

it("another has them one by one, as bytes, and a host in any case", async () => {
	const other = await ask("GET /\xc3\xa9? HTTP/1.1\r\nHost: h\r\nX: \xff\r\nTE: a\r\n\r\n");
	expect(other).toEqual({
		refused: undefined,
		line: ["GET", "/é", ""],
		lines: [
			["host", "h"],
			["x", "\xff"],
			["te", "a"],
		],
	});
	expect((await ask("GET /x HTTP/1.0\r\n\r\n"))?.lines).toEqual([["host", "own:1"]]);
});

it("what is refused is told with its reason, one object for each, and its line as far as it is one", async () => {
	const bad = "content-length is not a number of bytes";
	const put = await ask("PUT /\xc3\xa9?q HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n");
	expect(put).toEqual({
		refused: { status: 400, code: "ERR_BAD_REQUEST", sentence: bad },
		line: ["PUT", "/é", "q"],
		lines: [],
	});
	const get = await ask("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n");
	expect(get?.refused).toBe(put?.refused);
	const none = await ask("GE(T / HTTP/1.1\r\n\r\n");
	expect(none).toMatchObject({ refused: { status: 400 }, line: ["", "", undefined] });
});
