/** Which headers a custom-response may set; `test/policy/document/validate.test.ts` has the sentences. */
import { expect, test } from "vitest";
import { prepareHeaders } from "../../../../src/policy/actions/custom-response/headers.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";

const prepared = (config: Readonly<Record<string, unknown>>) =>
	prepareHeaders(config, "inbound", new Compiler());

test("headers in order, then the content type", () => {
	const headers = prepared({ content_type: "a/b", headers: { "X-B": "${req.method}", a: "1" } });
	expect(headers.ok && headers.value.map(({ name, value }) => [name, value.literal])).toEqual([
		["X-B", undefined],
		["a", "1"],
		["content-type", "a/b"],
	]);
});

test.each<[Readonly<Record<string, unknown>>, (string | number)[][]]>([
	[
		{ headers: { connection: "close", "content-length": "1" } },
		[
			["headers", "connection"],
			["headers", "content-length"],
		],
	],
	[
		{ headers: { "x y": "1", a: "b\r\nc" } },
		[
			["headers", "x y"],
			["headers", "a"],
		],
	],
	[{ headers: { A: "1", a: "2" } }, [["headers", "a"]]],
	[{ headers: { a: "${nothing}" } }, [["headers", "a"]]],
	[{ headers: { "content-type": "a" }, content_type: "b" }, [["content_type"]]],
])("%j is refused with each of its mistakes", (config, paths) => {
	const headers = prepared(config);
	expect(headers.ok ? [] : headers.error.map(({ path }) => path)).toEqual(paths);
});

test("values of the wrong type are left to the schema", () => {
	expect(prepared({ headers: { a: 1 } })).toEqual({ ok: true, value: [] });
	expect(prepared({ headers: [] })).toEqual({ ok: true, value: [] });
});
