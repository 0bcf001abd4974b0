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
