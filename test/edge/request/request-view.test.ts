/** The quick way to read a request agrees with the server library's own, and isn't taken where it is unknown. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FlatRequestLines } from "../../../src/edge/request/request-lines.ts";
import { RequestView } from "../../../src/edge/request/request-view.ts";
import {
	App,
	type us_listen_socket,
	us_listen_socket_close,
	us_socket_local_port,
} from "../../../src/http/uws.ts";

const view = RequestView.open();

it("is there on the machines that it was written for", () => {
	const expected = process.platform === "linux" && process.arch === "x64";
	expect(view !== undefined).toBe(expected);
});

it("is not there with a library that nobody has looked into", () => {
	const directory = mkdtempSync(join(tmpdir(), "weir-view-"));
	try {
		const file = join(directory, "uws_linux_x64_115.node");
		expect(RequestView.open(file)).toBeUndefined();
		writeFileSync(file, "another build");
		expect(RequestView.open(file)).toBeUndefined();
	} finally {
		rmSync(directory, { recursive: true });
	}
});

interface Seen {
	/** undefined: not plain */
	readonly viewed:
		| { names: string[]; values: string[][]; forwarded: string; host: string; length: number }
		| undefined;
	readonly flat: string[];
	readonly hidden: boolean;
	readonly peer: string | undefined;
}

describe.runIf(view !== undefined)("a request", () => {
	const heard: Seen[] = [];
	let socket: us_listen_socket;
	let port = 0;

	beforeAll(async () => {
		await new Promise<void>((resolve) => {
			App()
				.any("/*", (response, request) => {
					const flat: string[] = [];
					request.forEach((name, value) => {
						flat.push(name, value);
					});
					let viewed: Seen["viewed"];
					if (view?.read(request) === true) {
						const { host, bodyLength } = view;
						const lines = view.takeLines();
						const names = [...lines.names()].sort();
						const values = names.map((name) => [...lines.lines(name)]);
						viewed = {
							names,
							values,
							forwarded: lines.forwarded(undefined),
							host,
							length: bodyLength,
						};
					}
					heard.push({
						viewed,
						flat,
						hidden: view?.hidesLines(request) === true,
						peer: view?.peerOf(response),
					});
					response.onAborted(() => {});
					response.onData(() => {});
					response.end("x", true);
				})
				.listen("127.0.0.1", 0, (listening) => {
					if (listening === false) return;
					socket = listening;
					port = us_socket_local_port(listening);
					resolve();
				});
		});
	});
	afterAll(() => us_listen_socket_close(socket));

	const ask = async (text: string, from = "127.0.0.1"): Promise<Seen | undefined> => {
		heard.length = 0;
		await new Promise<void>((resolve) => {
			const client = connect({ port, host: "127.0.0.1", localAddress: from });
			client.on("error", () => {});
			client.on("close", () => resolve());
			client.resume();
			client.end(Buffer.from(text, "latin1"));
		});
		return heard[0];
	};

	it("is read as the library reads it, or not at all", async () => {
		const name = fc.constantFrom(
			"X",
			"accept",
			"Cookie",
			"Connection",
			"TE",
			"content-length",
			"X-Forwarded-For",
		);
		const value = fc.constantFrom(
			"",
			"1",
			"keep-alive",
			"a, b",
			"\xc3\xa9",
			"x\ty",
			"text/html; q=0.8, */*",
		);
		const lines = fc.array(fc.tuple(name, value), { maxLength: 8 });
		let plain = 0;
		await fc.assert(
			fc.asyncProperty(lines, fc.boolean(), async (rest, hostLast) => {
				const host: [string, string] = ["Host", "a.example:81"];
				const all = hostLast ? [...rest, host] : [host, ...rest];
				const text = all.map(([each, said]) => `${each}: ${said}\r\n`).join("");
				const seen = await ask(`GET /x HTTP/1.1\r\n${text}\r\n`);
				if (seen === undefined) return; // refused by the library
				expect(seen.hidden).toBe(false);
				expect(seen.peer).toBe("127.0.0.1");
				const own = new FlatRequestLines(seen.flat, false);
				if (seen.viewed === undefined) return;
				plain += 1;
				const names = [...own.names()].sort();
				expect(seen.viewed).toEqual({
					names,
					values: names.map((each) => [...own.lines(each)]),
					forwarded: own.forwarded(undefined),
					host: "a.example:81",
					length: Number(own.lines("content-length")[0] ?? 0),
				});
			}),
			{ numRuns: 150 },
		);
		expect(plain).toBeGreaterThan(10);
	});

	it("from another address of this machine has that address", async () => {
		expect((await ask("GET / HTTP/1.1\r\nhost: a\r\n\r\n", "127.1.2.3"))?.peer).toBe("127.1.2.3");
	});

	it("with a line without a name is seen through", async () => {
		const seen = await ask("POST / HTTP/1.1\r\nhost: a\r\n: b\r\ncontent-length: 3\r\n\r\nabc");
		expect(seen).toMatchObject({ viewed: undefined, hidden: true, flat: ["host", "a"] });
	});
});
