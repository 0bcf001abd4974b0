import { expect, test } from "vitest";
import { freeTexts } from "../../../src/cel/alike/free-texts.ts";
import { checkExpression } from "../../../src/cel/compile.ts";

function textsOf(source: string): unknown[] {
	const checked = checkExpression(source, "inbound", () => undefined);
	if (!checked.ok) throw new Error(source);
	return freeTexts(checked.value.expr).map(({ node, isRange }) =>
		isRange ? `range ${node.value}` : node.value,
	);
}

test.each<[string, unknown[]]>([
	["req.method == 'GET'", ["GET"]],
	["'GET' != req.method", ["GET"]],
	["req.host in ['a', 'b']", ["a", "b"]],
	["req.url.path.startsWith('/a') && req.user_agent.contains('b')", ["/a", "b"]],
	["req.headers['x'] == ['a']", ["a"]],
	["'a' in req.headers['x']", ["a"]],
	["inCidrRange(conn.client_ip, '10.0.0.0/8')", ["range 10.0.0.0/8"]],
	["inCidrRanges(conn.client_ip, ['10.0.0.0/8'])", ["range 10.0.0.0/8"]],
])("in %s", (source, texts) => {
	expect(textsOf(source)).toEqual(texts);
});

test.each([
	["a header's name", "'x' in req.headers"],
	["a name in a map", "'tier' in vars"],
	["a key", "req.headers['x'].size() > 1"],
	["a pattern", "req.host.matches('a')"],
	["what is the same for every request", "'a' == 'b'"],
	["what is worked out beforehand", "('a' + 'b').size() == req.content_length"],
	["a text put together", "req.host + 'a' == req.method"],
	["a list with more in it", "req.host in ['a', req.method]"],
	["anything beside a loop", "req.host == 'a' && ['b'].exists(x, x == req.method)"],
	["anything beside a binding", "cel.bind(x, req.host, x == 'a') && req.host == 'b'"],
])("never %s", (_, source) => {
	expect(textsOf(source)).toEqual([]);
});
