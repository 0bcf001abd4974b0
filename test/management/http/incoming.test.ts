/** What comes through the front and what the library hands over alone are one request to those who answer it. */
import { describe, expect, it } from "vitest";
import type { Incoming } from "../../../src/management/http/incoming.ts";
import { ApiListener } from "../../../src/management/http/listener.ts";
import { FRONT, raw } from "../api.ts";

/** @returns what the listener was asked */
async function ask(bytes: string, hasFront: boolean) {
	const seen: (Pick<Incoming, "request" | "refusal"> & { readonly port: number | undefined })[] =
		[];
	const listener = await ApiListener.open(
		{
			...{ host: "127.0.0.1", port: 0, tls: undefined, connections: undefined },
			front: hasFront ? FRONT : undefined,
		},
		async ({ request, refusal, response, client, peer }) => {
			seen.push({ request, refusal, port: peer().port });
			response.end("ok");
			client.answered(true);
		},
	);
	expect(listener.front).toBe(hasFront ? "on" : "off");
	await raw(listener.port, [Buffer.from(bytes, "latin1")], (text) => text.endsWith("ok"));
	await listener.close();
	expect(seen[0]?.port).toBeGreaterThan(0);
	return { seen };
}

describe.each([true, false])("front: %s", (hasFront) => {
	it.each([
		["plain", "GET /a?b HTTP/1.1\r\nHost: h\r\nX-A: 1\r\n\r\n", ["host", "h", "x-a", "1"]],
		[
			"of many lines, and bytes beyond ASCII",
			"GET /a?b HTTP/1.1\r\nHost: h\r\nTE: x\r\nX: a\xc3\xa9b\r\nX: 2\r\n\r\n",
			["host", "h", "te", "x", "x", "aéb", "x", "2"],
		],
	])("a request that is %s", async (_what, bytes, fields) => {
		const { seen } = await ask(bytes, hasFront);
		expect(seen).toMatchObject([{ request: { method: "GET", path: "/a", query: "b", fields } }]);
		expect(seen[0]?.refusal).toBeUndefined();
	});
});

it("a client of HTTP/1.0 that names no host means this one", async () => {
	const listener = await ask("GET / HTTP/1.0\r\n\r\n", true);
	const [, host = ""] = listener.seen[0]?.request.fields ?? [];
	expect(host).toMatch(/^127\.0\.0\.1:\d+$/);
});

it.each([
	["Transfer-Encoding: x", "ERR_UNSUPPORTED_TRANSFER_ENCODING"],
	["Content-Length: x", "ERR_BAD_REQUEST"],
	["Expect: x", "ERR_EXPECTATION_FAILED"],
])("what the front refuses has a code of the API's: %s", async (line, code) => {
	const { seen } = await ask(`PUT /p HTTP/1.1\r\nHost: h\r\n${line}\r\n\r\n`, true);
	expect(seen).toMatchObject([{ request: { method: "PUT", path: "/p" }, refusal: { code } }]);
	expect(seen[0]?.refusal?.message).toMatch(/^The request is refused: [a-z].*\.$/);
});
