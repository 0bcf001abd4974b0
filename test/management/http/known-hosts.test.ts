/** Which hosts the API answers to (contract 2, "Host"), in every spelling of a `host` field. */
import { describe, expect, it } from "vitest";
import { KnownHosts } from "../../../src/management/http/known-hosts.ts";
import type { ApiRequest } from "../../../src/management/http/request.ts";
import { expectError, raw, startApi } from "../api.ts";

const hosts = new KnownHosts(["Weir.Example.", "*.pods.example", "0.0.0.0", "my_weir"]);

const check = (host: string) =>
	hosts.check({
		headers: (name: string) => (name === "host" ? [host] : []),
	} as unknown as ApiRequest);

describe("a host field", () => {
	it.each([
		"127.0.0.1",
		"127.0.0.1:4040",
		"127.0.0.1.:4040",
		"203.0.113.9",
		"[::1]",
		"[::1]:4040",
		"[2001:DB8:0::1]:1",
		"localhost",
		"LOCALHOST:4040",
		"localhost.",
		"localhost.:4040",
		"ui.localhost:80",
		"weir.example",
		"WEIR.example.:443",
		"a.pods.example",
		"a.b.pods.example:8080",
		"my_weir:4040",
	])("%s is one of this API's", (host) => {
		expect(check(host).host).not.toBe("");
	});

	it.each([
		"evil.example",
		"evil.example:4040",
		"localhost.evil.example",
		"127.0.0.1.evil.example",
		"127.1",
		"0x7f000001",
		"2130706433",
		"127.0.0.01",
		"notlocalhost",
		"xweir.example",
		"weir.example.evil",
		"pods.example",
		"xpods.example",
		"weir",
	])("%s is none", (host) => {
		expect(() => check(host)).toThrow(/is none of this API's: list it in management\.hosts/);
	});

	it.each([
		"",
		"a b",
		".localhost",
		"localhost..",
		"user@localhost",
		"[::1",
		"[::1%25lo]",
		"a:b",
		"127.0.0.1:99999",
		"localhost/",
	])("%j names no host", (host) => {
		expect(() => check(host)).toThrow("The request is refused: the host field names no host.");
	});
});

describe("the API", () => {
	it.each(["/healthz", "/edges/https", "/nothing"])(
		"refuses %s for a foreign name, whether or not there is a key",
		async (path) => {
			const api = await startApi();
			const get = (...lines: string[]) =>
				raw(
					api.port,
					[
						`GET ${path} HTTP/1.1`,
						"host: evil.example:4040",
						"connection: close",
						...lines,
						"",
						"",
					].join("\r\n"),
				);
			for (const { text } of [await get(), await get(`authorization: Bearer ${api.key}`)]) {
				expect(text).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/);
				expect(text).toContain('"error_code":"ERR_UNKNOWN_HOST"');
				expect(text).toContain(
					'The name \\"evil.example\\" is none of this API\'s: list it in management.hosts',
				);
			}
			expect(api.store.keys()[0]?.lastUsedAt).toBeUndefined();
		},
	);

	it("changes nothing for one, and keeps the connection", async () => {
		const api = await startApi({ hosts: ["weir.example"] });
		const put = (host: string, ...more: string[]) =>
			[
				"PUT /edges/https/e HTTP/1.1",
				`host: ${host}`,
				`authorization: Bearer ${api.key}`,
				"content-type: application/json",
				"content-length: 17",
				...more,
				"",
				'{"hostports":[]}\n',
			].join("\r\n");
		const { text } = await raw(api.port, [
			put("evil.example"),
			put("weir.example", "connection: close"),
		]);
		expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 421", "HTTP/1.1 400"]);
		expect(api.published).toEqual([]);
	});

	it("answers to the name that it listens on", async () => {
		const api = await startApi({ host: "localhost" });
		expect((await api.send("GET", "/edges/https")).status).toBe(200);
		expectError(await api.send("GET", "/nothing"), 404, "ERR_NOT_FOUND");
	});
});
