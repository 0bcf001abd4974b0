/** Tests in a document are strict as all of it is, told with pointers, bounded, and stored as they were submitted. */
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { testUrl } from "../../../src/policy/document/tests.ts";
import { documentOf, problemsOf } from "../support.ts";

const good = { name: "a", request: { url: "/x" }, expect: { status: 200 } };
const withTest = (changes: object) => ({ tests: [{ ...good, ...changes }] });

describe("what is refused", () => {
	it.each([
		[{ name: "" }, "/tests/0/name too_small"],
		[{ expect: {} }, "/tests/0/expect too_small: expects nothing; say one of outcome"],
		[{ expect: { outcome: "pas" } }, "/tests/0/expect/outcome"],
		[{ expect: { staus: 200 } }, '/tests/0/expect/staus unknown_field: unknown field "staus"'],
		[{ expect: { status: 99 } }, "/tests/0/expect/status too_small"],
		[{ expect: { rule: -1 } }, "/tests/0/expect/rule"],
		[{ request: { url: "x" } }, "/tests/0/request/url invalid_url"],
		[{ request: { url: "ftp://h/" } }, "/tests/0/request/url invalid_url"],
		[{ request: { client_ip: "::x" } }, "/tests/0/request/client_ip invalid_address"],
		[{ request: { headers: { "a b": "c" } } }, "/tests/0/request/headers"],
		[{ request: { headers: { a: "c\nd" } } }, "/tests/0/request/headers/a"],
		[{ now: "yesterday" }, "/tests/0/now invalid_time"],
		[{ repeat: 0 }, "/tests/0/repeat too_small"],
		[{ repeat: LIMITS.policyTestRepeatMax + 1 }, "/tests/0/repeat too_big"],
		[{ ip_lists: { a: ["1.2.3"] } }, "/tests/0/ip_lists/a/0 invalid_address"],
	])("%j", (changes, problem) => {
		expect(problemsOf(withTest(changes))).toEqual([expect.stringContaining(problem)]);
	});

	it("more tests than there may be, once, and no further mistake in those behind", () => {
		const many = Array(LIMITS.policyTests + 1).fill(good);
		expect(problemsOf({ tests: many })).toEqual([expect.stringContaining("/tests too_big")]);
	});

	it("in a wrapped document with its own places", () => {
		expect(problemsOf({ module: withTest({ expect: {} }) })).toEqual([
			expect.stringContaining("/module/tests/0/expect "),
		]);
	});
});

it("is kept as submitted, and a document without tests is as it was", () => {
	expect(documentOf({ tests: [good] }).tests).toEqual([good]);
	expect(Object.keys(documentOf({}))).toEqual(["enabled", "inbound", "outbound"]);
});

it("takes a path to the host that the test names", () => {
	expect(testUrl("/a?b")?.full).toBe("http://localhost/a?b");
	expect(testUrl("/a", "shop.example:8080")?.full).toBe("http://shop.example:8080/a");
	expect(testUrl("https://h:443/a/../b")?.full).toBe("https://h/b");
	expect(testUrl("/a b")).toBeUndefined();
});
