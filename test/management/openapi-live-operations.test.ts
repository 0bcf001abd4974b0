/** Kinds of operations of the live page: what each says of its parameters and refusals. */
import { expect, it } from "vitest";
import {
	askOperation,
	fileOperation,
	queryOperation,
} from "../../src/management/openapi-live-operations.ts";
import { FILE_PARAMETER } from "../../src/management/openapi-parameters.ts";

const codesOf = (value: object): string[] => JSON.stringify(value).match(/ERR_[A-Z_]+/g) ?? [];

it("a question's mistakes are its answer, so only what can't be read is refused", () => {
	const codes = codesOf(askOperation("ask", "Policy", "PolicyCheck", ["ERR_NOT_READY"]));
	expect(codes).toEqual(expect.arrayContaining(["ERR_BODY_TOO_LARGE", "ERR_NOT_READY"]));
	expect(codes).not.toContain("ERR_INVALID_DOCUMENT");
});

it("parameters of one's own can be wrong", () => {
	expect(codesOf(queryOperation("find", "Found", { q: "words" }))).toContain("ERR_INVALID_QUERY");
});

it("files need no key", () => {
	const codes = codesOf(fileOperation("file", [FILE_PARAMETER]));
	expect(codes).toContain("ERR_NOT_FOUND");
	expect(codes).not.toContain("ERR_UNAUTHORIZED");
});
