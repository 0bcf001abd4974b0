/** A line break ends answers for people, never answers for programs that ask for JSON; the rest of them is the same. */
import { expect, it } from "vitest";
import { isForTerminal } from "../../../src/management/http/accept.ts";
import { header, raw, startApi } from "../api.ts";

it.each([
	[["*/*"], true],
	[["text/html, */*;q=0.1"], true],
	[["TEXT/plain"], true],
	[[], false],
	[[""], false],
	[["application/json"], false],
	[["application/json, text/plain, */*"], false],
	[["*/*", "Application/JSON;q=0.5"], false],
	[["image/png"], false],
])("tells who reads by accept %j", (lines, expected) => {
	expect(isForTerminal(lines)).toBe(expected);
});

it("ends answers and errors with a line break for a terminal, with the right length and the same etag", async () => {
	const api = await startApi();
	await api.send("PUT", "/edges/https/e", { body: { hostports: ["a.test"] } });
	const ask = async (line: string, ...fields: string[]) => {
		const { text } = await raw(api.port, header(api.key, line, "connection: close", ...fields));
		const [head = "", body = ""] = text.split("\r\n\r\n");
		const value = (name: string) => new RegExp(`^${name}: (.*?)\r?$`, "im").exec(head)?.[1];
		return { body, length: Number(value("content-length")), etag: value("etag") };
	};
	for (const line of ["GET /edges/https/e", "GET /edges/https", "GET /edges/https/missing"]) {
		const plain = await ask(line, "accept: application/json");
		expect(plain.body.at(-1)).toBe("}");
		for (const [accept, end] of [
			["*/*", "\n"],
			["text/plain", "\n"],
			["application/json", ""],
		]) {
			const got = await ask(line, `accept: ${accept}`);
			expect(got.body.endsWith(`}${end}`)).toBe(true);
			expect(got.length).toBe(got.body.length);
			expect(got.etag).toBe(plain.etag);
			const head = await ask(line.replace("GET", "HEAD"), `accept: ${accept}`);
			expect([head.body, head.length]).toEqual(["", got.length]);
		}
	}
});
