/** Header lines as rules and the wire see them: order and duplicates kept, bytes never changed. */
import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FlatHeaders, utf8Bytes } from "../../../src/edge/request/header-lines.ts";
import { App, us_listen_socket_close, us_socket_local_port } from "../../../src/http/uws.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

/** The status that the server library answers a request of so many header lines with. */
function statusWith(lines: number): Promise<string> {
	return new Promise((resolve, reject) => {
		App()
			.any("/*", (response) => {
				response.end();
			})
			.listen("127.0.0.1", 0, (listening) => {
				if (listening === false) return reject(new Error("nothing listens"));
				const client = connect(us_socket_local_port(listening), "127.0.0.1");
				client.on("error", reject);
				client.once("data", (answer) => {
					client.destroy();
					us_listen_socket_close(listening);
					resolve(answer.toString("latin1").slice(9, 12));
				});
				client.write(`GET / HTTP/1.1\r\nhost: h\r\n${"a: b\r\n".repeat(lines - 1)}\r\n`);
			});
	});
}

it("the server library admits no more lines than the sizes of expressions allow for", async () => {
	expect(await statusWith(90)).toBe("200");
	expect(await statusWith(LIMITS.requestHeaderLines + 1)).toBe("431");
});

describe("header lines", () => {
	it("are found by name, in order, and [] where there are none", () => {
		const lines = new FlatHeaders(["a", "1", "b", "", "a", "3"]);
		expect(lines.names()).toEqual(["a", "b"]);
		expect([lines.lines("a"), lines.lines("b"), lines.lines("c")]).toEqual([["1", "3"], [""], []]);
		// A value is no name.
		expect(lines.lines("1")).toEqual([]);
	});

	/** The same lines; `reads` counts how often one of their names or values is read. */
	function counted(flat: readonly string[]) {
		const count = { reads: 0 };
		const watched = new Proxy(flat, {
			get(target, key, receiver) {
				if (typeof key === "string" && /^\d+$/.test(key)) count.reads++;
				return Reflect.get(target, key, receiver);
			},
		});
		return { lines: new FlatHeaders(watched), count };
	}

	it("are looked for once, however often they are asked for, and give the same array", () => {
		const { lines, count } = counted(["a", "1", "b", "2", "a", "3"]);
		const first = lines.lines("a");
		expect(count.reads).toBeGreaterThan(0);
		count.reads = 0;
		for (let time = 0; time < 10; time++) expect(lines.lines("a")).toBe(first);
		expect(count.reads).toBe(0);
		for (const name of ["b", "none", "other"]) lines.lines(name);
		count.reads = 0;
		for (const name of ["a", "b", "none", "other"]) lines.lines(name);
		expect(count.reads).toBe(0);
	});

	it("cost no more than some readings of them all where every name is asked for", () => {
		const flat = Array.from({ length: 2000 }, (_, at) => (at % 2 === 0 ? `n${at}` : "v"));
		const { lines, count } = counted(flat);
		for (const name of lines.names()) expect(lines.lines(name)).toEqual(["v"]);
		expect(count.reads).toBeLessThanOrEqual(flat.length);
		const unnamed = counted(flat);
		for (let at = 0; at < 2000; at += 2) {
			expect(unnamed.lines.lines(`n${at}`)).toEqual(["v"]);
			expect(unnamed.lines.lines(`x${at}`)).toEqual([]);
		}
		expect(unnamed.count.reads).toBeLessThanOrEqual(10 * flat.length);
	});

	it("are the same whatever was asked for before", () => {
		const name = fc.constantFrom(..."abcdefghijklm");
		const flat = fc.array(fc.tuple(name, fc.string()));
		fc.assert(
			fc.property(flat, fc.array(name), (pairs, asked) => {
				const lines = new FlatHeaders(pairs.flat());
				for (const each of asked) {
					const expected = pairs.filter(([own]) => own === each).map(([, value]) => value);
					expect(lines.lines(each)).toEqual(expected);
				}
				expect(lines.names()).toEqual([...new Set(pairs.map(([own]) => own))]);
			}),
		);
	});

	it("go out as the UTF-8 bytes of what came in, a character a byte", () => {
		fc.assert(
			fc.property(fc.string({ unit: "grapheme" }), (text) => {
				expect(Buffer.from(utf8Bytes(text), "latin1").toString("utf8")).toBe(
					Buffer.from(text).toString("utf8"),
				);
			}),
		);
	});
});
