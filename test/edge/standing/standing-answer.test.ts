/** What the front is given to send is what JavaScript has it write, and how a limit's key is read off a request. */
import { describe, expect, it } from "vitest";
import { rateLimited, refusalReply } from "../../../src/edge/response/local-replies.ts";
import { answerTo, limitOf } from "../../../src/edge/standing/standing-answer.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { StandingAnswer } from "../../../src/native-addon-standing.ts";
import type { StandingLimit } from "../../../src/policy/exchange.ts";

/** As native/src/front/standing_refusals.cc puts it together. */
function put(answer: StandingAnswer | undefined, seconds = 0): string {
	if (answer === undefined) return "";
	const length = answer.contentBytes + answer.contentSeconds * String(seconds).length;
	const filled = { d: "date: D\r\n", s: String(seconds), l: String(length) };
	return answer.pieces
		.map((piece, index) => piece + (filled[answer.holes[index] as "d" | "s" | "l"] ?? ""))
		.join("");
}

const respond = (content: string, headers: [string, string][] = [], statusCode = 403) =>
	answerTo({ kind: "respond", statusCode, headers, content });

const limit = (elements: StandingLimit["elements"] = []): StandingLimit => ({
	kind: "limited",
	name: "l",
	windowMs: 90_000,
	elements,
	ipv6Prefix: 56,
	limiter: 7,
});

describe("answers that stand", () => {
	it("are those of a deny and of a custom-response, with the date behind what stands before it otherwise", () => {
		expect(put(answerTo({ kind: "deny", statusCode: 403 }))).toBe(
			"HTTP/1.1 403 Forbidden\r\ndate: D\r\ncontent-length: 0\r\n\r\n",
		);
		expect(
			put(
				respond("é", [
					["X-A", "ü"],
					["Date", "mine"],
				]),
			),
		).toBe("HTTP/1.1 403 Forbidden\r\nX-A: Ã¼\r\ndate: D\r\ncontent-length: 2\r\n\r\nÃ©");
	});

	it("are that of an address that is refused", () => {
		const { statusCode, bytes } = refusalReply("address", []);
		const text = bytes?.text ?? "";
		const lineEnd = text.indexOf("\r\n") + 2;
		const lists = { allow: [], deny: [], allowsAll: true };
		expect(statusCode).toBe(403);
		expect(put(answerTo({ kind: "refused", reason: "address", headers: [], ...lists }))).toBe(
			`HTTP/1.1 ${text.slice(0, lineEnd)}date: D\r\n${text.slice(lineEnd)}`,
		);
	});

	it("tell the seconds and their own length, whatever the seconds are", () => {
		const answer = answerTo(limit());
		for (const seconds of [1, 9, 10, 59, 3600, 86_400]) {
			const text = rateLimited(seconds).bytes?.text ?? "";
			const lineEnd = text.indexOf("\r\n") + 2;
			const whole = `HTTP/1.1 ${text.slice(0, lineEnd)}date: D\r\n${text.slice(lineEnd)}`;
			expect(put(answer, seconds)).toBe(whole);
		}
	});

	it("are none where nothing follows the header, or too much", () => {
		for (const statusCode of [204, 304]) {
			expect(answerTo({ kind: "deny", statusCode })).toBeUndefined();
			expect(respond("", [], statusCode)).toBeUndefined();
		}
		expect(respond("x".repeat(LIMITS.standingContentBytes))).toBeDefined();
		expect(respond("x".repeat(LIMITS.standingContentBytes + 1))).toBeUndefined();
	});
});

describe("the key of a limit", () => {
	it("has the host as it is counted, however an element names it", () => {
		const elements = [
			{ kind: "host" },
			{ kind: "client_ip" },
			{ kind: "header", name: "x-k" },
			{ kind: "header", name: "host" },
		] as const;
		expect(limitOf(limit(elements))).toEqual({
			isLimited: true,
			limiter: 7,
			windowSeconds: 90,
			key: ["h", "a", "fx-k", "h"],
			ipv6Prefix: 56,
		});
	});

	it("is none of an answer that is for all", () => {
		expect(limitOf({ kind: "deny", statusCode: 403 }).isLimited).toBe(false);
	});
});
