/** Every way in which an API does not answer as it should is one sentence. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ApiClient, inWords, refusalOf } from "../../../src/process/api/api-client.ts";

const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
	"/ok": (response) => response.setHeader("etag", '"e"').end('{"a":1}'),
	"/none": (response) => response.writeHead(404).end("{}"),
	"/forbidden": (response) =>
		response
			.writeHead(403)
			.end('{"error_code":"ERR_FORBIDDEN","msg":"No such key.","problems":[]}'),
	"/other": (response) => response.writeHead(502).end("<html>"),
	"/moved": (response) => response.writeHead(302, { location: "/ok" }).end(),
	"/cut": (response) => response.destroy(),
};
const seen: string[] = [];
const server = createServer((request, response) => {
	seen.push(`${request.method} ${request.headers.authorization}`);
	answers[request.url ?? ""]?.(response);
});
let client: ApiClient;
beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	client = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, "k");
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

it("sends the key, and reads body and etag", async () => {
	expect(await client.get("/ok")).toEqual({ status: 200, etag: '"e"', body: { a: 1 } });
	expect(seen.at(-1)).toBe("GET Bearer k");
	expect(await client.get("/none")).toBeUndefined();
});

it("ends in a sentence", async () => {
	await expect(client.get("/forbidden")).rejects.toThrow(
		/refuses the request: No such key\. \(ERR_FOR/,
	);
	await expect(client.get("/other")).rejects.toThrow(/it answers 502 and nothing that weir would/);
	await expect(client.get("/moved")).rejects.toThrow(/cannot reach/);
	await expect(client.get("/cut")).rejects.toThrow(
		/cannot reach the management API at http.*--url/,
	);
	const closed = new ApiClient("http://127.0.0.1:9", "k");
	await expect(closed.get("/ok")).rejects.toThrow(/ECONNREFUSED|bad port/);
});

it("tells problems with their places", () => {
	const body = { error_code: "E", msg: "Two.", problems: [{ pointer: "/a", message: "one" }, 7] };
	const answer = { status: 400, etag: undefined, body };
	expect(inWords(answer)).toBe("Two. (E)\n    /a: one");
	expect(refusalOf({ status: 500, etag: undefined, body: [] }).code).toBe("status 500");
});
