/** Connections after an answer: those that stay open serve the next request, those that must close serve none. */
import { expect, it } from "vitest";
import { header, headerEnd, POLICY, READERS, raw, startApi } from "../api.ts";

const heads = (text: string): readonly string[] => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];

it("answers HEAD as GET, without the body, and goes on with the connection", async () => {
	const api = await startApi();
	const get = header(api.key, "GET /edges/https");
	const head = header(api.key, "HEAD /edges/https");
	const missing = header(api.key, "HEAD /edges/https/e");
	const { text } = await raw(api.port, head + missing + get, (answer) => answer.endsWith("}"));
	expect(heads(text)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 200"]);
	const [first = "", , last = ""] = text.split(/(?=HTTP\/1\.1 )/);
	const length = /content-length: (\d+)/i;
	expect(length.exec(first)?.[1]).toBe(length.exec(last)?.[1]);
	expect(first.endsWith("\r\n\r\n")).toBe(true);
	expect(headerEnd(last)).toBe(true);
});

it.each(READERS)(
	"takes nothing for a request after one whose end is in doubt, %s",
	async (_how, frontSettings) => {
		const api = await startApi({ frontSettings });
		const smuggled = header(api.key, "GET /edges/https");
		const doubtful = [
			header(api.key, "GET /edges/https", "content-length:"),
			header(api.key, "GET /edges/https", "content-length: 0", "content-length: 0"),
			header(api.key, "GET /edges/https", "host: y"),
		];
		for (const request of doubtful) {
			const { text, closed } = await raw(api.port, request + smuggled);
			expect(heads(text)).toEqual(["HTTP/1.1 400"]);
			expect(JSON.parse(text.slice(text.indexOf("{"))).error_code).toBe("ERR_BAD_REQUEST");
			expect(closed).toBe(true);
		}
		const head = header(api.key, "HEAD /edges/https", "content-length:");
		const told = await raw(api.port, head + smuggled);
		expect(told.closed).toBe(true);
		// The library can't close behind a header alone.
		if (frontSettings === undefined) expect(told.text).toBe("");
		else
			expect(told.text).toMatch(
				/^HTTP\/1\.1 400 [\s\S]*\r\ncontent-length: \d+\r\n[\s\S]*\r\n\r\n$/,
			);
	},
);

it.each(READERS)(
	"closes after a body that is too large, whatever came with it, %s",
	async (_how, frontSettings) => {
		const api = await startApi({ frontSettings });
		const size = 1_048_577;
		const put = header(
			api.key,
			`PUT ${POLICY}`,
			"content-type: application/json",
			`content-length: ${size}`,
		);
		const { text, closed } = await raw(api.port, [
			put + " ".repeat(size) + header(api.key, "GET /edges/https"),
		]);
		expect(heads(text)).toEqual(["HTTP/1.1 413"]);
		expect(closed).toBe(true);
	},
);
