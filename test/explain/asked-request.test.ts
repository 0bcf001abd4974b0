/** A question's request as a client would send it. */
import { describe, expect, it } from "vitest";
import type { Listener } from "../../src/config.ts";
import { askedRequest, linesIn } from "../../src/explain/asked-request.ts";

const listener = (port: number, tls = false): Listener => ({
	...{ host: "127.0.0.1", port, proxyProtocol: false },
	tls: tls ? [{ cert: "c", key: "k" }] : [],
});
const listen = [listener(8080), listener(8443, true), listener(9443, true)];
const asked = (request: object, listeners = listen) =>
	askedRequest(
		{
			method: "GET",
			url: "http://a.example/",
			headers: {},
			client_ip: "::1",
			body_length: 0,
			...request,
		},
		{ listen: listeners },
	);

describe("a request", () => {
	it.each<[url: string, scheme: string, port: number, path: string, query: string | undefined]>([
		["http://a.example", "http", 8080, "/", undefined],
		["HTTPS://a.example/x?a=%2F", "https", 8443, "/x", "a=%2F"],
		["https://a.example:9443/?", "https", 9443, "/", ""],
	])("%s", (url, scheme, port, rawPath, rawQuery) => {
		const found = asked({ url });
		expect(found).toMatchObject({
			ok: true,
			value: { scheme, port, rawPath, rawQuery, notes: [] },
		});
	});

	it("has the fields that clients add", () => {
		const lines = (request: object) => {
			const found = asked(request);
			return found.ok ? found.value.lines : undefined;
		};
		expect(lines({ headers: { "X-A": ["1", "2"] }, body_length: 3 })).toEqual([
			["host", "a.example"],
			["x-a", "1"],
			["x-a", "2"],
			["content-length", "3"],
		]);
		expect(lines({ headers: { Host: "b" }, body_length: "chunked" })).toEqual([
			["host", "b"],
			["transfer-encoding", "chunked"],
		]);
	});

	it("notes what it had to assume", () => {
		expect(asked({ url: "https://a.example/x#part" }, [listener(8080)])).toMatchObject({
			value: {
				scheme: "http",
				notes: [
					"Clients don't send the part #part of a URL.",
					"No listener speaks https; the request was taken to come to 127.0.0.1:8080.",
				],
			},
		});
	});

	it.each([
		["/x", "must be a whole URL"],
		["ftp://a/x", "must be a whole URL"],
		["http://u:p@a/", "must name no user"],
	])("refuses %s", (url, sentence) => {
		expect(asked({ url })).toMatchObject({ ok: false, error: expect.stringContaining(sentence) });
	});
});

it("takes lines apart", () => {
	expect(linesIn("a: b: c\r\nx: \u00c3\u00bc\r\n")).toEqual([
		["a", "b: c"],
		["x", "ü"],
	]);
});
