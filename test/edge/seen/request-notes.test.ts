/** What is taken down of a request: all that an explanation needs, without the token, and bounded. */
import { expect, it } from "vitest";
import { RequestNotes } from "../../../src/edge/seen/request-notes.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { beginning, ended } from "./seen.ts";

it("has what came, what the backend said and how it ended", () => {
	const request = beginning(
		"host",
		"a.example",
		"x-weir-explain",
		"secret",
		"x-a",
		"1",
		"x-a",
		"2",
	);
	const notes = new RequestNotes(request, "hash", 7);
	notes.responded(200, ["x-b", "3"], -1, 1500);
	notes.reason = "deny";
	const seen = notes.ended(ended, 403, false);
	expect(seen).toMatchObject({
		...{ token: "hash", requestId: "id-1", revision: 7, nowMs: 1000, isCut: false },
		...{ method: "GET", rawPath: "/x", rawQuery: "q=1", host: "a.example", clientIp: "192.0.2.7" },
		listener: { host: "0.0.0.0", port: 80 },
		client: { address: "192.0.2.1", port: 4711 },
		response: { status: 200, lines: ["x-b", "3"], length: -1, nowMs: 1500 },
		end: { status: 403, by: "deny", reason: "deny", rule: { ruleIndex: 2, ruleName: "no" } },
	});
	expect(seen.lines).toEqual([
		["host", "a.example"],
		["x-weir-explain", "[token]"],
		["x-a", "1"],
		["x-a", "2"],
	]);
	// as it goes from process to process
	expect(JSON.parse(JSON.stringify(seen)).end.rule).toEqual(seen.end.rule);
});

it("is cut where it is too long, and says so", () => {
	const notes = new RequestNotes(beginning("x-a", "1"), "hash", 7);
	notes.responded(200, ["x-b", "b".repeat(LIMITS.seenCharacters)], 0, 1500);
	const seen = notes.ended(ended, 200, true);
	expect(seen).toMatchObject({ isCut: true, lines: [], limits: [], end: { aborted: true } });
	expect(seen.response).toBeUndefined();
});
