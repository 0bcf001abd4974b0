/** Bodies (contract 2): media types, JSON, size, speed, uploads that break off. */

import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { edge, expectError, header, raw, startApi } from "../api.ts";

describe("bodies", () => {
	const path = "/edges/https/e/routes/r/policy";

	it.each([
		[undefined, 415],
		["text/plain", 415],
		["application/jsonx", 415],
		["application/json, text/plain", 415],
		["application/json", 201],
		["Application/JSON; charset=utf-8", 201],
		["application/json ;x=1", 201],
	])("content-type %s gives %d", async (type, status) => {
		const api = await startApi();
		const body = JSON.stringify(edge("example.com"));
		const lines = [
			`content-length: ${body.length}`,
			...(type === undefined ? [] : [`content-type: ${type}`]),
		];
		const request = header(api.key, "PUT /edges/https/e", ...lines, "connection: close");
		expect((await raw(api.port, request + body)).text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	});

	it("a compressed body is refused, a content-type on GET and DELETE ignored", async () => {
		const api = await startApi();
		const headers = { "content-encoding": "gzip" };
		const answer = await api.send("PUT", "/edges/https/e", { body: edge("example.com"), headers });
		expectError(answer, 415, "ERR_UNSUPPORTED_MEDIA_TYPE");
		const type = { headers: { "content-type": "text/plain" } };
		expect((await api.send("GET", "/edges/https", type)).status).toBe(200);
		expectError(await api.send("DELETE", path, type), 404, "ERR_POLICY_NOT_FOUND");
	});

	it.each([
		["", "empty"],
		["{", "line 1, column 2"],
		['{"enabled": tru}', "line 1"],
		['{\n  "enabled": true,\n}', "line 3"],
		['{"enabled":true,"enabled":false}', "duplicate"],
		['{"__proto__":{"enabled":true}}', "__proto__"],
		['{"enabled":1e999}', "too large"],
		['{"enabled":NaN}', "line 1"],
		["[".repeat(100_000), "nested"],
		['\ufeff{"enabled":true}', "byte order mark"],
		["{} {}", "line 1, column 4"],
	])("$0 is no JSON", async (body, words) => {
		const api = await startApi();
		const answer = expectError(await api.send("PUT", path, { body }), 400, "ERR_INVALID_JSON");
		expect(answer.json.msg).toContain(words);
		expect(api.store.policy("e", "r")).toBeUndefined();
	});

	it("invalid UTF-8 is no JSON", async () => {
		const api = await startApi();
		const body = Buffer.concat([
			Buffer.from('{"name":"'),
			Buffer.from([0xff, 0xfe]),
			Buffer.from('"}'),
		]);
		expectError(await api.send("PUT", path, { body }), 400, "ERR_INVALID_JSON");
	});

	it("1 MiB passes, one byte more is 413 and closes, with a length and chunked", async () => {
		const api = await startApi();
		const small = JSON.stringify({ enabled: true });
		const exact = small + " ".repeat(1_048_576 - small.length);
		expectError(
			await api.send("PUT", "/edges/https/e", { body: exact }),
			400,
			"ERR_INVALID_DOCUMENT",
		);
		const withLength = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"content-length: 1048577",
		);
		const told = await raw(api.port, [withLength, `${exact} `]);
		expect(told.text).toMatch(/^HTTP\/1.1 413 /);
		expect(told.text).toContain("request-id: req_");
		expect(told.text).toContain("ERR_BODY_TOO_LARGE");
		expect(told.closed).toBe(true);
		const chunked = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"transfer-encoding: chunked",
		);
		const chunks = Array.from({ length: 17 }, () => `10000\r\n${" ".repeat(65_536)}\r\n`);
		const grown = await raw(api.port, [chunked, ...chunks, "0\r\n\r\n"]);
		expect(grown.text).toMatch(/^HTTP\/1.1 413 /);
		expect(grown.closed).toBe(true);
		expect((await api.send("PUT", path, { body: `${exact} ` })).status).toBe(413);
	});

	it("announcing too much is refused without waiting for it", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"content-length: 99999999999",
		);
		const answer = await raw(api.port, request);
		expect(answer.text).toMatch(/^HTTP\/1.1 413 /);
		expect(answer.closed).toBe(true);
	});

	it("a chunked body is a body", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			"PUT /edges/https/e",
			"content-type: application/json",
			"transfer-encoding: chunked",
			"connection: close",
		);
		const text = JSON.stringify(edge("example.com"));
		const half = (from: number, to?: number) => {
			const part = text.slice(from, to);
			return `${part.length.toString(16)}\r\n${part}\r\n`;
		};
		const answer = await raw(api.port, [request, half(0, 9), half(9), "0\r\n\r\n"]);
		expect(answer.text).toMatch(/^HTTP\/1.1 201 /);
	});

	it("a body that does not arrive is 408 and closes", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			`PUT ${path}`,
			"content-type: application/json",
			"content-length: 20",
		);
		const answer = await raw(api.port, [request, "{"]);
		expect(answer.text).toMatch(/^HTTP\/1.1 408 /);
		expect(answer.closed).toBe(true);
	}, 20_000);

	it("an upload that breaks off stores nothing and harms nobody", async () => {
		const api = await startApi();
		const request = header(
			api.key,
			"PUT /edges/https/e",
			"content-type: application/json",
			"content-length: 200000",
		);
		for (let index = 0; index < 50; index++) {
			const socket = connect(api.port, "127.0.0.1");
			await new Promise<void>((resolve) =>
				socket.write(`${request}{"hostports":[`, () => resolve()),
			);
			socket.resetAndDestroy();
		}
		expect((await api.send("GET", "/edges/https")).json.edges).toEqual([]);
	});

	it("keeps the connection after a refusal whose body it skipped", async () => {
		const api = await startApi();
		const refused = [
			"PUT /edges/https/e HTTP/1.1",
			"host: localhost",
			"content-type: application/json",
			"content-length: 10",
			"",
			"GET / HTTP",
		].join("\r\n");
		const follow = header(api.key, "GET /edges/https", "connection: close");
		const { text } = await raw(api.port, [refused, follow]);
		expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 401", "HTTP/1.1 200"]);
	});
});
