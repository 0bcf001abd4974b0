/** A rehearsed request ends as a live one: every documented example of an action comes out as its page says. */
import { expect, it } from "vitest";
import type { ExampleRequest } from "../../../src/policy/actions/action.ts";
import { actionOf, EVERY_TYPE } from "../../../src/policy/actions/table.ts";
import { ModelLimiters } from "../../../src/policy/rehearsal/limit-model.ts";
import { type Rehearsed, rehearse } from "../../../src/policy/rehearsal/rehearse.ts";
import { linesOf } from "../../../src/policy/rehearsal/rehearsed-exchange.ts";
import { compiled } from "../support.ts";

const sent = (policy: unknown, test: Parameters<typeof rehearse>[1]): Rehearsed =>
	rehearse(
		compiled(policy, { limiters: new ModelLimiters(() => 0) }),
		test,
		Date.parse("2026-05-04T10:20:30Z"),
		() => true,
	);

const LINE = /^(no )?([^ :]+)(?:: (.*))?$/;

function expectLines(lines: readonly string[] | undefined, came: Rehearsed["headers"]): void {
	for (const line of lines ?? []) {
		const [, no, name = "", value] = LINE.exec(line) ?? [];
		if (no === undefined) expect(came.lines(name)).toContain(value);
		else expect(came.lines(name)).toEqual([]);
	}
}

it.each(EVERY_TYPE)("the examples of %s", (type) => {
	const { document, requests } = actionOf(type).documentation.example;
	const policy = compiled(document, { limiters: new ModelLimiters(() => 0) });
	for (const example of requests as readonly ExampleRequest[]) {
		const headers: Record<string, string[]> = {};
		for (const [name, value] of example.headers ?? []) headers[name] = [value];
		const test = {
			request: {
				...{ method: example.method, url: example.url, headers },
				...(example.clientIp === undefined ? {} : { client_ip: example.clientIp }),
			},
			response: { status: example.responseStatus ?? 200 },
		};
		const came = rehearse(policy, test, 0, () => true);
		const [first = ""] = example.becomes.split(" ");
		if (/^\d/.test(first)) expect(`${came.status}`).toBe(first);
		else if (example.becomes.startsWith("passes")) expect(came.outcome).toBe("pass");
		const rewritten = /^passes as ([^ ,]+)/.exec(example.becomes)?.[1];
		if (rewritten !== undefined) expect(came.upstream?.url).toBe(rewritten);
		if (came.upstream !== undefined) expectLines(example.backendGets, came.upstream.headers);
		expectLines(example.clientGets, came.headers);
	}
});

const rule = (type: string, config: object = {}, expressions: readonly string[] = []) => ({
	expressions,
	actions: [{ type, config }],
});

it("shows outbound rules what a custom-response says, and no refusal", () => {
	const outbound = [rule("add-headers", { headers: { "x-seen": "yes" } })];
	const own = sent(
		{ inbound: [rule("custom-response", { status_code: 418, content: "t" })], outbound },
		{ request: {} },
	);
	expect([own.outcome, own.status, own.headers.lines("x-seen")]).toEqual(["respond", 418, ["yes"]]);
	const denied = sent({ inbound: [rule("deny")], outbound }, { request: {} });
	expect([denied.status, denied.headers.names(), denied.upstream]).toEqual([403, [], undefined]);
});

it("lets outbound rules replace the backend's response", () => {
	const policy = {
		outbound: [
			rule("custom-response", { status_code: 503, content: "later" }, ["res.status_code >= 500"]),
		],
	};
	const bad = sent(policy, { request: {}, response: { status: 500, headers: { x: "1" } } });
	expect([bad.outcome, bad.status, bad.headers.lines("x")]).toEqual(["respond", 503, []]);
	expect(bad.endedBy).toMatchObject({ phase: "outbound", ruleIndex: 0 });
	expect(bad.upstream?.url).toBe("http://localhost/");
	const good = sent(policy, { request: {}, response: { headers: { x: ["1", "2"] } } });
	expect([good.outcome, good.status, good.headers.lines("x")]).toEqual(["pass", 200, ["1", "2"]]);
});

it("ends with 500 where an expression fails, and closes where the policy closes", () => {
	const failing = [rule("deny", {}, ["req.headers['x'][0] == 'a'"])];
	const failed = sent({ inbound: failing }, { request: {} });
	expect([failed.outcome, failed.status]).toEqual(["failed", 500]);
	expect(failed.failures).toHaveLength(1);
	const closed = sent({ inbound: [rule("close-connection")] }, { request: {} });
	expect([closed.outcome, closed.status]).toEqual(["close", undefined]);
});

it("settles expressions that would go to a thread", () => {
	const long = "a".repeat(4000);
	const pattern = "(.*)*b".repeat(1);
	const policy = {
		inbound: [rule("deny", {}, [`req.headers['x'][0].matches('${pattern}') || true`])],
	};
	const came = sent(policy, { request: { headers: { x: long } } });
	expect(came.outcome).toBe("deny");
});

it("turns fields of a test into lines", () => {
	expect(linesOf({ a: "1", b: ["2", "3"] })).toEqual([
		["a", "1"],
		["b", "2"],
		["b", "3"],
	]);
	expect(linesOf()).toEqual([]);
});
