/** The data path's own answers: one shape, codes and statuses of the one table, and docs/management-api.md lists each. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as localReplies from "../../../src/edge/response/local-replies.ts";
import { statusLine } from "../../../src/edge/response/status-line.ts";
import { hasNoBody } from "../../../src/edge/response/write-response.ts";
import { codesOf } from "../../../src/error-code-origins.ts";
import { ERROR_CODES } from "../../../src/error-codes.ts";

const { badRequest, badHandshake, denied, preflightReply, rateLimited, refusalReply, ...rest } =
	localReplies;
const { UPSTREAM_REPLIES, ...constants } = rest;
const paper = readFileSync(
	join(import.meta.dirname, "..", "..", "..", "docs", "management-api.md"),
	"utf8",
);
const listed = new Map(
	[
		...(/^## Answers of the data path\n[\s\S]*/m.exec(paper)?.[0] ?? "").matchAll(
			/^\| `(ERR_[A-Z_]+)` \| (\d{3}) \|/gm,
		),
	].map(([, code = "", status]) => [code, Number(status)]),
);

const REFUSALS = [
	"ERR_BAD_REQUEST",
	"ERR_METHOD_NOT_ALLOWED",
	"ERR_URI_TOO_LONG",
	"ERR_EXPECTATION_FAILED",
	"ERR_HEADER_TOO_LARGE",
	"ERR_NOT_IMPLEMENTED",
	"ERR_VERSION_NOT_SUPPORTED",
] as const;

const codeAndStatus = ({
	content,
	statusCode,
	headers,
}: localReplies.LocalReply): [string, number] => {
	const body: Record<string, unknown> = JSON.parse(content);
	expect(body).toMatchObject({
		error_code: expect.any(String),
		status_code: statusCode,
		msg: expect.any(String),
	});
	expect(headers.slice(0, 2)).toEqual(["content-type", "application/json"]);
	expect(hasNoBody("GET", statusCode)).toBe(false);
	return [String(body.error_code), statusCode];
};

it("a preflight is answered with nothing but its headers", () => {
	expect(preflightReply([["vary", "origin"]])).toEqual({
		statusCode: 204,
		headers: ["vary", "origin"],
		content: "",
		bytes: undefined,
	});
});

describe("own answers", () => {
	it("the table and docs/management-api.md list each code with its status, and no other", () => {
		const answers = [
			...Object.values(constants),
			...Object.values(UPSTREAM_REPLIES),
			badHandshake("why"),
			...REFUSALS.map((code) => badRequest(code, "why")),
			rateLimited(1),
			refusalReply("address", []),
			refusalReply("credentials", [["www-authenticate", "Basic"]]),
		];
		const inUse = new Map(answers.map(codeAndStatus));
		const table = codesOf("edge").map((code) => [code, ERROR_CODES[code].status] as const);
		expect(inUse).toEqual(new Map<string, number>(table));
		expect(inUse).toEqual(listed);
	});

	it("a refusal carries its sentence, whatever is in it", () => {
		fc.assert(
			fc.property(fc.constantFrom(...REFUSALS), fc.string(), (code, sentence) => {
				const refusal = badRequest(code, sentence);
				expect(refusal.statusCode).toBe(ERROR_CODES[code].status);
				expect(JSON.parse(refusal.content).msg).toBe(sentence);
			}),
		);
	});

	it("the wait is the same in field and body, whatever it was before", () => {
		const seconds = fc.oneof(fc.integer({ min: 1, max: 86_400 }), fc.constantFrom(1, 257, 513));
		fc.assert(
			fc.property(seconds, (seconds) => {
				const { headers, content } = rateLimited(seconds);
				expect(headers.slice(2)).toEqual(["retry-after", `${seconds}`]);
				expect(JSON.parse(content).retry_after).toBe(seconds);
			}),
		);
	});

	it("are written as they are shown to rules", () => {
		const answers = [
			rateLimited(5),
			denied(404),
			localReplies.NO_ROUTE,
			badRequest("ERR_BAD_REQUEST", "é"),
		];
		for (const { statusCode, headers, content, bytes } of answers) {
			const [status, ...lines] = Buffer.from(bytes?.head ?? [])
				.toString()
				.split("\r\n");
			expect(status).toBe(statusLine(statusCode));
			expect(lines.flatMap((line) => line.split(": "))).toEqual(headers);
			expect(Buffer.from(bytes?.content ?? []).toString()).toBe(content);
		}
	});

	it("a denial is its status and nothing else, made once", () => {
		expect(denied(451)).toMatchObject({ statusCode: 451, headers: [], content: "" });
		expect(denied(451)).toBe(denied(451));
	});
});
