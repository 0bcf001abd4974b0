/** What the client sends, and what it makes of answers that are no success, of foreign ones and of none. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { ApiFailure, Client, routePath } from "../../../ui/api/client.ts";

let server: Server | undefined;
afterEach(() => server?.close());

async function client(answer: RequestListener): Promise<Client> {
	const own = createServer(answer);
	server = own;
	await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
	return new Client("secret", `http://127.0.0.1:${(own.address() as AddressInfo).port}`);
}

const failing = (asked: Promise<unknown>): Promise<ApiFailure> =>
	asked.then(
		() => Promise.reject(new Error("it succeeded")),
		(error: unknown) => error as ApiFailure,
	);

it("sends the key, and a body as JSON", async () => {
	let seen: IncomingMessage | undefined;
	const own = await client((request, response) => {
		seen = request;
		response.writeHead(200, { etag: '"x"' }).end('{"a":1}');
	});
	const { value, etag } = await own.ask("/p", {
		method: "PUT",
		body: "{}",
		headers: { "if-match": '"w"' },
	});
	expect([value, etag]).toEqual([{ a: 1 }, '"x"']);
	expect(seen?.headers).toMatchObject({
		authorization: "Bearer secret",
		"content-type": "application/json",
		"if-match": '"w"',
	});
});

it("tells what the API says is wrong", async () => {
	const problems = [{ pointer: "/a", code: "c", message: "m" }];
	const body = {
		error_code: "ERR_INVALID_DOCUMENT",
		status_code: 400,
		msg: "The policy has 1 problem.",
		problems,
	};
	const own = await client((_, response) => response.writeHead(400).end(JSON.stringify(body)));
	const failure = await failing(own.get("/p"));
	expect(failure).toMatchObject({
		status: 400,
		code: "ERR_INVALID_DOCUMENT",
		problems,
		message: body.msg,
	});
});

it("says so where the answer is somebody else's", async () => {
	const own = await client((_, response) => response.writeHead(502).end("<html>Bad gateway"));
	const failure = await failing(own.get("/p"));
	expect([failure.status, failure.code]).toEqual([502, ""]);
	expect(failure.message).toContain("status 502");
});

it("says so where nobody answers", async () => {
	const own = await client((request) => request.socket.destroy());
	const failure = await failing(own.get("/p"));
	expect(failure).toBeInstanceOf(ApiFailure);
	expect([failure.status, failure.message]).toEqual([
		0,
		expect.stringContaining("does not answer"),
	]);
});

it("a request that was given up is no failure of the API", async () => {
	const own = await client(() => {});
	const abort = new AbortController();
	const asked = failing(own.get("/p", abort.signal));
	abort.abort();
	expect(await asked).not.toBeInstanceOf(ApiFailure);
});

it("ids are encoded in paths", () => {
	expect(routePath("a b", "c/d")).toBe("/edges/https/a%20b/routes/c%2Fd");
});
