import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";
import { bare, unwrapped, wrapperOf } from "../../../src/policy/document/wrappers.ts";

const RULE = { actions: [{ type: "deny" }] };
const judged = (value: unknown) => {
	const result = validatePolicy(value, { rulesPerPhase: LIMITS.rulesPerPhase });
	return result.ok
		? { place: result.value.place, document: result.value.document }
		: result.error.map(({ pointer, code }) => `${pointer} ${code}`);
};
const inText = (policy: unknown, beside: object = {}) => ({
	...beside,
	value: JSON.stringify(policy),
});

describe("wrapperOf", () => {
	it.each([
		[{ module: {} }, "module"],
		[{ module: null, value: "" }, "module"],
		[{ value: "inbound: []" }, "value"],
		[{ value: {} }, "value"],
		[{ value: null }, undefined],
		[{ inbound: [] }, undefined],
		["inbound: []", undefined],
		[null, undefined],
	])("of %j: %s", (value, wrapper) => {
		expect(wrapperOf(value)).toBe(wrapper);
	});
});

describe("unwrapped", () => {
	it("leaves what is in no wrapper as it is", () => {
		const policy = { inbound: [] };
		expect(unwrapped(policy)).toEqual(bare(policy));
		expect(unwrapped(policy).policy).toBe(policy);
	});

	it.each([
		["JSON", '{"inbound": [{"actions": [{"type": "deny"}]}]}'],
		["YAML", "inbound:\n  - actions:\n      - type: deny\n"],
		["a published form", '{"on_http_request": [{"actions": [{"type": "deny"}]}]}'],
	])("the text of a policy, %s", (_form, value) => {
		const bareOne = judged({ inbound: [RULE] });
		expect(judged({ value })).toEqual({ ...bareOne, place: ["value"] });
		expect(judged({ value, enabled: null })).toEqual({ ...bareOne, place: ["value"] });
	});

	it("a module in a text", () => {
		const place = ["value", "module"];
		expect(judged(inText({ module: { inbound: [RULE] }, id: "r" }))).toMatchObject({ place });
		expect(judged(inText({ module: { inbound: [{}] } }))).toEqual([
			"/value/module/inbound/0/actions required",
		]);
		expect(judged(inText({ module: {}, idd: "r" }))).toEqual(["/value/idd unknown_field"]);
	});

	it.each<[boolean | undefined, boolean | undefined, boolean]>([
		[undefined, undefined, true],
		[true, undefined, true],
		[false, undefined, false],
		[undefined, false, false],
		[false, true, false],
		[false, false, false],
		[true, true, true],
	])("enabled %s beside a text with %s is %s", (outside, inside, enabled) => {
		const beside = outside === undefined ? {} : { enabled: outside };
		const policy = inside === undefined ? {} : { enabled: inside };
		expect(judged(inText(policy, beside))).toMatchObject({ document: { enabled } });
	});

	it.each([
		[inText({ enabled: false }, { enabled: true }), ["/enabled mixed_forms"]],
		[inText({}, { enabled: "yes" }), ["/enabled wrong_type"]],
		[inText({}, { inbound: [] }), ["/inbound unknown_field"]],
		[
			inText({ inbound: [{ x: 1 }] }),
			["/value/inbound/0/x unknown_field", "/value/inbound/0/actions required"],
		],
		[inText([]), ["/value wrong_type"]],
		[{ value: 3 }, ["/value wrong_type"]],
		[{ value: '{"inbound": [' }, ["/value invalid_text"]],
		[{ value: "a: [", enabled: 1 }, ["/enabled wrong_type", "/value invalid_text"]],
		[{ module: {}, edge_id: 1 }, ["/edge_id wrong_type"]],
	])("%j: %j", (value, problems) => {
		expect((judged(value) as string[]).toSorted()).toEqual(problems.toSorted());
	});

	it("tells problems in the order of the text", () => {
		const policy = {
			inbound: [{ expressions: ["nope"], actions: [{ type: "deny", config: { status_code: 1 } }] }],
			outbound: [{ actions: [{ type: "deny" }] }],
		};
		const bareOnes = judged(policy) as string[];
		expect(bareOnes).toHaveLength(3);
		expect(judged(inText(policy))).toEqual(bareOnes.map((each) => `/value${each}`));
	});

	it("says where a text breaks", () => {
		const result = validatePolicy({ value: '{\n "a" 1}' }, { rulesPerPhase: 1 });
		expect(result.ok ? [] : result.error.map(({ message }) => message)).toEqual([
			'line 2, column 6: expected ":" after the member name',
		]);
	});

	it("null beside a module is as if it were not there", () => {
		expect(judged({ module: {}, edge_id: null, id: null })).toMatchObject({ place: ["module"] });
	});
});
