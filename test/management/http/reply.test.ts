/** Errors have one shape and never tell more than their table, sentence and problems (contract 2). */
import { describe, expect, it } from "vitest";
import { codesOf } from "../../../src/error-code-origins.ts";
import { ERROR_CODES } from "../../../src/error-codes.ts";
import { ApiError } from "../../../src/errors.ts";
import {
	asApiError,
	errorReply,
	json,
	NO_CONTENT,
	refusedDocument,
} from "../../../src/management/http/reply.ts";
import { StoreError } from "../../../src/store/open.ts";

const bodyOf = (error: ApiError) => JSON.parse(String(errorReply(error, "abc").body));

describe("errors", () => {
	it.each(codesOf("api"))("%s is answered with its status", (code) => {
		const error = new ApiError(code, "A sentence.");
		const { status } = ERROR_CODES[code];
		expect(errorReply(error, "abc").status).toBe(status);
		expect(bodyOf(error)).toEqual({
			error_code: code,
			status_code: status,
			msg: "A sentence.",
			details: { operation_id: "op_abc" },
			problems: [],
		});
	});

	it("put every problem into details, those of one place together", () => {
		const problem = (pointer: string, message: string) => ({ pointer, code: "c", message });
		const problems = [problem("/a", "one"), problem("/a", "two"), problem("", "three")];
		const body = bodyOf(refusedDocument("policy", problems));
		expect(body.msg).toBe("The policy has 3 problems.");
		expect(body.details).toEqual({ operation_id: "op_abc", "/a": "one\ntwo", "": "three" });
		expect(body.problems).toEqual(problems);
		expect(refusedDocument("edge", problems.slice(0, 1)).message).toBe("The edge has 1 problem.");
		const cut = { pointer: "", code: "more_problems", message: "and 51 more problems" };
		const many = refusedDocument("policy", [...Array(99).fill(problem("/a", "one")), cut]);
		expect(many.message).toBe("The policy has more than 99 problems.");
	});

	it("hide what was not foreseen, and tell that the disk is full", () => {
		for (const thrown of [
			new Error("secret"),
			"secret",
			undefined,
			new StoreError("secret path"),
		]) {
			const error = asApiError(thrown);
			expect(error.code).toBe("ERR_INTERNAL");
			expect(errorReply(error, "abc").body).not.toContain("secret");
		}
		expect(asApiError(new StoreError("/a/path", { full: true })).code).toBe("ERR_STORE_FULL");
		const known = new ApiError("ERR_NOT_FOUND", "x");
		expect(asApiError(known)).toBe(known);
	});

	it("of a store that is being handed over say when to try again", () => {
		const error = asApiError(new StoreError("x", { held: true }));
		expect(error.code).toBe("ERR_UPGRADING");
		expect(errorReply(error, "abc")).toMatchObject({
			status: 503,
			headers: { "retry-after": "1" },
		});
	});

	it("challenge where credentials are missing", () => {
		const reply = errorReply(new ApiError("ERR_UNAUTHORIZED", "x"), "abc", { allow: "GET" });
		expect(reply.headers).toEqual({ "www-authenticate": "Bearer", allow: "GET" });
	});
});

it("json and 204", () => {
	expect(json(200, { a: 1 })).toEqual({ status: 200, headers: {}, body: '{"a":1}' });
	expect(NO_CONTENT.body).toBeUndefined();
});
