/** Actions of published policies that weir lacks: told as such, never with another name as a guess. */
import { expect, test } from "vitest";
import { isActionType } from "../../../src/policy/actions/table.ts";
import { remedyFor } from "../../../src/policy/document/lacking-actions.ts";
import { inbound, problemsOf } from "../support.ts";

const LACKING = [
	"jwt-validation",
	"oauth",
	"openid-connect",
	"oidc",
	"saml",
	"verify-webhook",
	"forward-internal",
	"compress-response",
	"circuit-breaker",
	"owasp-crs-request",
	"owasp-crs-response",
	"http-request",
	"terminate-tls",
];

test.each(LACKING)("%s is lacking, says so, and lists what there is", (type) => {
	expect(isActionType(type)).toBe(false);
	const [problem, ...others] = problemsOf(inbound({ type, config: { secret: "never-told" } }));
	expect(others).toEqual([]);
	const remedy = remedyFor(type);
	expect(remedy).not.toBeUndefined();
	const start = `/inbound/0/actions/0/type unknown_action: unknown action type "${type}": weir has no such action; ${remedy}. Valid: url-rewrite, `;
	expect(problem?.slice(0, start.length)).toBe(start);
	expect(problem).not.toContain("did you mean");
	expect(problem).not.toContain("never-told");
});

test("of other names nothing is known", () => {
	expect(["add-header", "toString", "__proto__", ""].map(remedyFor)).toEqual(
		Array(4).fill(undefined),
	);
});
