/** Versions and framing: what is refused before anything else is looked at (contract 2, 6). */

import { describe, expect, it } from "vitest";
import { expectError, header, raw, startApi } from "../api.ts";

describe("versions", () => {
	it.each(["1", "3", "2.0", "02", "latest", "", "2, 2"])("%j is not supported", async (version) => {
		const api = await startApi();
		const headers = { "service-version": version };
		const answer = await api.send("GET", "/edges/https", { headers });
		expect(expectError(answer, 400, "ERR_UNSUPPORTED_VERSION").json.msg).toContain("supported: 2");
	});

	it("2 is", async () => {
		const api = await startApi();
		const headers = { "service-version": "2" };
		expect((await api.send("GET", "/edges/https", { headers })).status).toBe(200);
	});
});

describe("framing", () => {
	it.each([
		["two lengths", ["content-length: 5", "content-length: 6"], 400],
		["the same length twice", ["content-length: 5", "content-length: 5"], 400],
		["an empty length", ["content-length: "], 400],
		["length and coding", ["content-length: 5", "transfer-encoding: chunked"], 400],
		["two hosts", ["host: y"], 400],
	])("%s", async (_name, lines, status) => {
		const api = await startApi();
		const request = header(
			api.key,
			"PUT /edges/https/e",
			"content-type: application/json",
			...lines,
		);
		const answer = await raw(api.port, `${request}{"a":1}GET /edges/https HTTP/1.1\r\n\r\n`);
		expect(answer.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
		expect(answer.text.match(/HTTP\/1.1 /g)).toHaveLength(1);
		expect(answer.closed).toBe(true);
	});

	it.each(["xchunked", "gzip, chunked", "chunked, chunked", "identity"])(
		"coding %s",
		async (coding) => {
			const api = await startApi();
			const request = header(api.key, "PUT /edges/https/e", `transfer-encoding: ${coding}`);
			const answer = await raw(api.port, `${request}0\r\n\r\n`);
			expect(answer.text).toMatch(/^HTTP\/1.1 501 /);
			expect(answer.closed).toBe(true);
		},
	);

	it("an empty host", async () => {
		const api = await startApi();
		const answer = await raw(api.port, "GET /healthz HTTP/1.1\r\nhost:\r\n\r\n");
		expect(answer.text).toMatch(/^HTTP\/1.1 400 /);
		expect(answer.text).toContain("request-id: req_");
		expect(answer.closed).toBe(true);
	});
});
