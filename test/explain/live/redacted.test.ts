/** Credentials that a request brought are told nowhere in its explanation. */
import { expect, it } from "vitest";
import { redacted } from "../../../src/explain/live/redacted.ts";
import { rule, seen, told } from "./seen.ts";

it("takes credentials out of lists of fields, and wherever else they stand", () => {
	const basic = Buffer.from("ann:open-sesame").toString("base64");
	const lines: [string, string][] = [
		["authorization", `Basic ${basic}`],
		["cookie", "sid=cookie-value; a=b"],
		["x-api-key", "key-of-mine"],
		["x-open", "stays"],
	];
	const effects = [{ kind: "log" as const, metadata: { all: ["a cookie-value", "open-sesame"] } }];
	const rules = [rule(0, "applied", { actions: [{ type: "log", state: "ran", effects }] })];
	const explanation = told({
		inbound: { outcome: "continue", reason: "", rules },
		upstream: { urls: [], method: "GET", target: "/?key-of-mine", headers: lines },
		answer: {
			...{ by: "backend", status: 200, content: null },
			headers: [["Set-Cookie", "sid=another-value; Path=/"]],
		},
	});
	const response = { status: 200, lines: ["set-cookie", "sid=another-value"], length: 0, nowMs: 0 };
	const shown = redacted(explanation, { ...seen, lines, response });
	const text = JSON.stringify(shown);
	for (const secret of [basic, "cookie-value", "open-sesame", "key-of-mine", "another-value"])
		expect(text).not.toContain(secret);
	expect(shown.upstream?.headers).toEqual([
		["authorization", "Basic [redacted]"],
		["cookie", "sid=[redacted]; a=[redacted]"],
		["x-api-key", "[redacted]"],
		["x-open", "stays"],
	]);
	expect(shown.answer?.headers).toEqual([["Set-Cookie", "sid=[redacted]; Path=/"]]);
	expect(shown.inbound.rules[0]?.actions[0]?.effects).toEqual([
		{ kind: "log", metadata: { all: ["a [redacted]", "[redacted]"] } },
	]);
});
