/** Header changes on the way to the client: over an upstream's text, and over replies of the edge. */
import { expect, test } from "vitest";
import { HeaderChanges } from "../../../src/edge/headers/header-changes.ts";
import { changedLines, changedReply } from "../../../src/edge/headers/response-changes.ts";
import { denied } from "../../../src/edge/response/local-replies.ts";

const changes = HeaderChanges.NONE.removing(["server", "x-*"]).adding([["X-New", "grün"]]);

test("nothing is made where nothing changes", () => {
	const lines = { passed: "a: 1", ascii: true };
	expect(changedLines(lines, undefined)).toBe(lines);
	expect(changedReply(denied(404), undefined)).toBe(denied(404));
});

test.each([
	["Server: s\r\nA: 1\r\nX-Old: 2", "A: 1\r\nX-New: grÃ¼n"],
	["A: 1", "A: 1\r\nX-New: grÃ¼n"],
	["server: s", "X-New: grÃ¼n"],
	["", "X-New: grÃ¼n"],
])("%j", (passed, text) => {
	expect(changedLines({ passed, ascii: true }, changes)).toEqual({ passed: text, ascii: false });
	const removed = changedLines({ passed, ascii: true }, HeaderChanges.NONE.removing(["server"]));
	expect(removed.ascii).toBe(true);
	expect(removed.passed).not.toMatch(/server|\r\n$/i);
});

test("a reply has the lines of both, and is written anew", () => {
	const reply = { ...denied(403), headers: ["content-type", "text/plain", "Server", "s"] };
	expect(changedReply(reply, changes)).toEqual({
		statusCode: 403,
		headers: ["content-type", "text/plain", "X-New", "grün"],
		content: "",
		bytes: undefined,
	});
});
