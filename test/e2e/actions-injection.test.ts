/**
 * What clients send and rules copy into headers and URLs never becomes another line or another message: line breaks, NUL
 * and other controls fail the request, all else arrives as UTF-8, or percent-encoded in URLs. Letters whose lower byte is
 * a line break are among them, for whoever writes texts one byte a letter.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, startServer, startUpstream, type TestUpstream } from "./harness.ts";
import { RawClient } from "./raw-client.ts";

const VALUE = "${req.url.query_params['v'][0]}";
const headers = { "x-copy": VALUE };
type Rule = Readonly<Record<string, unknown>>;
const at = (path: string, type: string, config: object): Rule => ({
	expressions: [`req.url.path == '/${path}'`],
	actions: [{ type, config }],
});
const INBOUND: Readonly<Record<string, Rule>> = {
	request: at("request", "add-headers", { headers }),
	host: at("host", "add-headers", { headers: { host: VALUE } }),
	answer: at("answer", "custom-response", { headers }),
	type: at("type", "custom-response", { content_type: VALUE }),
	redirect: at("redirect", "redirect", { to: "/b", headers }),
	path: at("path", "redirect", { to: `/b/${VALUE}` }),
	query: at("query", "redirect", { to: `/b?v=${VALUE}` }),
	fragment: at("fragment", "redirect", { to: `/b#${VALUE}` }),
	rewrite: at("rewrite", "url-rewrite", { from: "/rewrite.*$", to: `/b/${VALUE}`, format: "cel" }),
};
const OUTBOUND: Readonly<Record<string, Rule>> = {
	response: at("response", "add-headers", { headers }),
	replaced: at("replaced", "custom-response", { headers }),
};
/** header positions, as opposed to parts of URLs */
const IN_HEADERS = ["request", "answer", "redirect", "response", "replaced"];

const CONTROLS = ["a\r\nx-evil: 1", "a\nx-evil: 1", "a\rx-evil: 1", "a\0b", "a\x01b", "a\x7fb"];
const TEXTS = [
	"\u010ax-evil: 1",
	"a\u010d\u010ax-evil: 1\u010d\u010a\u010d\u010aHTTP/1.1 200 OK",
	"ü",
	"日本",
	"a\u2028b\u0085c",
	"😀",
	"a\tb",
	'a"b\\c',
];

let server: Server;
let upstream: TestUpstream;
beforeAll(async () => {
	upstream = await startUpstream();
	server = await startServer({ workers: 1 });
	await server.route(upstream.port);
	await server.policy({
		inbound: [
			...Object.values(INBOUND),
			{
				expressions: ["req.url.path == '/vars'"],
				actions: [
					{ type: "set-vars", config: { vars: [{ v: VALUE }] } },
					{ type: "add-headers", config: { headers: { "x-copy": "${vars.v}" } } },
					{ type: "log", config: { metadata: { v: "${vars.v}" } } },
				],
			},
		],
		outbound: Object.values(OUTBOUND),
	});
}, 30_000);
afterAll(async () => {
	await server?.cleanUp();
	await upstream?.close();
});

async function go(path: string, value: string) {
	const seen = upstream.seen.length;
	const one = new RawClient(server.port);
	const target = `/${path}?v=${encodeURIComponent(value)}`;
	one.write(`GET ${target} HTTP/1.1\r\nhost: h.example\r\n\r\n`, "GET");
	const answer = await one.read();
	// what comes behind is the answer to the next request, and to no other
	one.write("GET /after HTTP/1.1\r\nhost: h.example\r\nconnection: close\r\n\r\n", "GET");
	const after = await one.read();
	expect([after?.status, await one.end()]).toEqual([200, ""]);
	const got = upstream.seen.slice(seen, -1);
	expect(upstream.seen.at(-1)?.target).toBe("/after");
	for (const each of got) expect(each.headers["x-evil"]).toBeUndefined();
	expect(answer?.lines.filter((line) => line.startsWith("x-evil"))).toEqual([]);
	return { answer, got };
}
const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const POSITIONS = [...Object.keys(INBOUND), ...Object.keys(OUTBOUND), "vars"];

describe.each(POSITIONS)("%s", (position) => {
	it.each(CONTROLS)("%j fails the request, or is encoded", async (value) => {
		const { answer, got } = await go(position, value);
		if (position === "fragment") {
			expect(answer?.lines[0]).toBe(`location: http://h.example/b#${encodeURI(value)}`);
			return;
		}
		expect(answer?.status, JSON.stringify([answer, got])).toBe(500);
		expect(got.length).toBe(position in OUTBOUND ? 1 : 0);
	});

	it.each(TEXTS)("%j is one value, or fails the request", async (value) => {
		const { answer, got } = await go(position, value);
		if (answer?.status === 500) {
			expect(IN_HEADERS).not.toContain(position);
			return;
		}
		const sent = got[0]?.rawHeaders ?? [];
		const copied = [...(answer?.lines ?? []), ...sent.map((_, n) => `${sent[n]}: ${sent[n + 1]}`)];
		if (IN_HEADERS.includes(position)) expect(copied).toContain(`x-copy: ${bytes(value)}`);
		if (position === "rewrite") expect(got[0]?.target).toBe(`/b/${encodeURI(value)}`);
		if (["path", "query", "fragment"].includes(position))
			expect(copied.find((line) => line.startsWith("location: "))).toMatch(/^[\x21-\x7e ]+$/);
	});
});

it("what was logged of it is one line of JSON each", () => {
	for (const line of server.logLines()) expect(typeof line).toBe("object");
});
