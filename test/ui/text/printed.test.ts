/** Documents as the editor shows them: the same document, in lines that one reads. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { printed } from "../../../ui/text/printed.ts";

it("is the same document", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(JSON.parse(printed(value))).toEqual(JSON.parse(JSON.stringify(value)));
		}),
	);
});

it("keeps short things on one line, and rules on lines of their own", () => {
	const policy = {
		inbound: [
			{
				expressions: ["req.method == 'POST'"],
				actions: [{ type: "deny", config: { status_code: 403 } }],
			},
		],
		outbound: [],
	};
	expect(printed(policy)).toBe(`{
  "inbound": [
    {
      "expressions": ["req.method == 'POST'"],
      "actions": [
        {
          "type": "deny",
          "config": { "status_code": 403 }
        }
      ]
    }
  ],
  "outbound": []
}`);
});

it("breaks what is too long for a line", () => {
	expect(printed({ a: ["x".repeat(50), "y".repeat(50)] }).split("\n")).toHaveLength(6);
});
