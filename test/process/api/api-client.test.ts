/** What a command says when the management API says no, or nothing. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { ApiClient, apiAddress } from "../../../src/process/api/api-client.ts";

async function answering(listener: RequestListener): Promise<string> {
	const server = createServer(listener);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("asks with the key, and hands over what is answered", async () => {
	const base = await answering(({ method, url, headers }, response) => {
		response.end(JSON.stringify([method, url, headers.authorization]));
	});
	const answer = await new ApiClient(base, "k").ask("POST", "/x", {});
	expect(answer).toEqual({ ok: true, value: ["POST", "/x", "Bearer k"] });
});

it.each<[status: number, body: string, sentence: string]>([
	[403, '{"error_code":"ERR_FORBIDDEN","msg":"No."}', "No. (403 ERR_FORBIDDEN)"],
	[
		400,
		'{"error_code":"E","msg":"M.","problems":[{"pointer":"/a","message":"b"}]}',
		"M. (400 E)\n  /a: b",
	],
	[200, "<html>", "this is no answer of a management API: status 200"],
])("says of %i %s", async (status, body, sentence) => {
	const base = await answering((_request, response) => response.writeHead(status).end(body));
	expect(await new ApiClient(base, "k").ask("GET", "/")).toEqual({ ok: false, error: sentence });
});

it("says that nobody answers, and that there is no key", async () => {
	const nobody = await new ApiClient("http://127.0.0.1:1", "k").ask("GET", "/");
	expect(nobody).toMatchObject({
		error: expect.stringContaining("nobody answers at http://127.0.0.1:1"),
	});
	const keyless = await new ApiClient("http://127.0.0.1:1", undefined).ask("GET", "/");
	expect(keyless).toMatchObject({ error: expect.stringContaining("WEIR_API_KEY") });
});

it("finds the address in the configuration", () => {
	const at = (host: string, tls: { cert: string; key: string }[] = []) =>
		apiAddress({ management: { host, port: 1, tls, hosts: [], ui: true } });
	expect([at("0.0.0.0"), at("::1"), at("a", [{ cert: "", key: "" }])]).toEqual([
		"http://127.0.0.1:1",
		"http://[::1]:1",
		"https://a:1",
	]);
});
