/** What of a client's header fields an expression carries into a key, and what only decides. */
import { expect, test } from "vitest";
import { clientHeaderIn } from "../../../src/policy/lint/client-header.ts";
import { inbound, warningsOf } from "../support.ts";

const warned = (...bucket_key: string[]) => {
	const config = { capacity: 1, rate: "60s", bucket_key };
	return warningsOf(inbound({ type: "rate-limit", config }))
		.filter(({ code }) => code === "client_controlled_key")
		.map(
			({ pointer, message }) => `${pointer.slice(-1)} ${/change (.*) and get/.exec(message)?.[1]}`,
		);
};

test.each([
	["(req.headers['X-User'])", 'the header "x-user"'],
	["req.headers['x-user'].join(',')", 'the header "x-user"'],
	["req.headers['x-user'][?0].orValue('')", 'the header "x-user"'],
	["'x' in req.headers ? req.headers['x'].join('') : ''", 'the header "x"'],
	["getReqHeader('X-User').map(v, v.lowerAscii())", 'the header "x-user"'],
	["getReqHeader(req.method)", "req.headers"],
	["getReqCookie('Sid').value", 'the cookie "Sid"'],
	["req.cookies.sid[?0].orValue(req.cookies.b[0]).value", 'the cookie "sid"'],
	["req.method + req.user_agent", "req.user_agent"],
	["req.location", "req.location"],
	["req.content_encoding[?0].orValue('')", "req.content_encoding"],
	["string(size(req.content_type.raw))", "req.content_type.raw"],
	["cel.bind(h, req.headers, h['x'].join(','))", "req.headers"],
])("an expression that carries what clients write: %s", (source, what) => {
	expect(warned("conn.client_ip", source)).toEqual([`1 ${what}`]);
});

test.each([
	"conn.client_ip + req.method",
	"req.headers['x'].exists(v, v == 'gold') ? 'gold' : conn.client_ip",
	"'x' in req.headers",
	"(req.headers['Host'])",
	"getReqHeader('host').join('')",
	"req.url.path",
])("not of %s", (source) => {
	expect(warned(source)).toEqual([]);
});

test("of several that are alike each says its own", () => {
	const sources = ["a", "b", "c"].map((name) => `req.headers['${name}'].join(',')`);
	expect(warned(...sources)).toEqual(['0 the header "a"', '1 the header "b"', '2 the header "c"']);
});

test("nothing of a literal", () => {
	const text = { kind: "constant", offset: 0, depth: 1, value: "x", type: { kind: "string" } };
	expect(clientHeaderIn(text as Parameters<typeof clientHeaderIn>[0])).toBeUndefined();
});
