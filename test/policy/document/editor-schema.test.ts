/** The schema for editors takes the spellings that the server takes, and not two of them at once. */
import { expect, it } from "vitest";
import { editorSchema } from "../../../src/policy/document/editor-schema.ts";
import { policyJsonSchema } from "../../../src/policy/document/schema.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";
import { judged } from "../../management/schema-judge.ts";

const rule = (config: object) => [{ actions: [{ type: "custom-response", config }] }];
const limits = { rulesPerPhase: 500 };

it.each([
	["its own names", { inbound: rule({ content: "a" }), outbound: [] }, true],
	["the published names", { on_http_request: rule({ body: "a" }), on_http_response: [] }, true],
	["body and content", { inbound: rule({ body: "a", content: "b" }) }, false],
	["neither", { inbound: rule({ status_code: 200 }) }, undefined],
	["both names of a phase", { inbound: [], on_http_request: [] }, false],
	["names of either kind", { inbound: [], on_http_response: [] }, false],
	["a phase that there is not", { on_tcp_connect: [] }, false],
	["something else in a published name", { on_http_request: rule({ bdy: "a" }) }, false],
])("%s", (_what, document, expected) => {
	const taken = validatePolicy(document, limits).ok;
	if (expected !== undefined) expect(taken).toBe(expected);
	expect(judged("policy", document).taken).toBe(taken);
});

it("keeps all that the schema of stored policies says", () => {
	const [own, editors] = [policyJsonSchema(limits), editorSchema(limits)] as const;
	expect(Object.keys(editors)).toEqual(expect.arrayContaining(Object.keys(own)));
	expect(JSON.stringify(editors).length).toBeGreaterThan(JSON.stringify(own).length);
});
