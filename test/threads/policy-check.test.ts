import { expect, it } from "vitest";
import { checkPolicy } from "../../src/threads/policy-check.ts";

const check = (text: string) => checkPolicy(Buffer.from(text), { rulesPerPhase: 2 });

it("tells what may be stored from what is wrong, and from what is no JSON", () => {
	expect(check('{"inbound":[{"actions":[{"type":"deny"}]}]}')).toMatchObject({
		outcome: "valid",
		document: { enabled: true, inbound: [{ name: "", expressions: [] }], outbound: [] },
		warnings: [],
	});
	expect(check('{"inbuond":[]}')).toMatchObject({
		outcome: "invalid",
		problems: [{ pointer: "/inbuond", message: expect.stringContaining("inbound") }],
	});
	expect(check('{"inbound":[}')).toMatchObject({
		outcome: "not_json",
		error: { line: 1, column: 13 },
	});
});

it("reads YAML where it is asked to, and whichever of the two it is", () => {
	const yaml = Buffer.from("on_http_request:\n  - actions: [{type: deny}]\n");
	const json = Buffer.from('{"inbound":[{"actions":[{"type":"deny"}]}]}');
	const outcome = (bytes: Uint8Array, format: "json" | "yaml" | "text") =>
		checkPolicy(bytes, { rulesPerPhase: 2 }, format).outcome;
	expect([outcome(yaml, "yaml"), outcome(yaml, "text"), outcome(json, "text")]).toEqual([
		"valid",
		"valid",
		"valid",
	]);
	expect(outcome(yaml, "json")).toBe("not_json");
	expect(outcome(Buffer.from("a: !!js x"), "yaml")).toBe("not_json");
});

it("runs the tests of a valid document, or leaves them, and bounds what it tells of them", () => {
	const failing = { name: "a", request: {}, expect: { status: 200 } };
	const text = (count: number) =>
		JSON.stringify({
			module: { inbound: [{ actions: [{ type: "deny" }] }], tests: Array(count).fill(failing) },
		});
	expect(check(text(1))).toMatchObject({
		outcome: "tests_failed",
		problems: [
			{
				pointer: "/module/tests/0/expect/status",
				code: "test_failed",
				message: 'test "a": expected 200, got 403 (deny by inbound rule 0)',
			},
		],
	});
	const left = checkPolicy(Buffer.from(text(1)), { rulesPerPhase: 2 }, "json", false, "leave");
	expect(left).toMatchObject({ outcome: "valid", document: { tests: [failing] } });
	const many = check(text(150));
	expect(many.outcome === "tests_failed" && many.problems.at(-1)).toEqual({
		pointer: "",
		code: "more_problems",
		message: "and 51 more problems",
	});
});
