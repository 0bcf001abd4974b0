/** Where a problem of a long transaction is told, and that their number is bounded. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { bounded, transactionSchema } from "../../../src/management/resources/transaction-body.ts";

it("tells no more problems than of one document, and counts the rest", () => {
	const problem = { pointer: "/operations/0", code: "c", message: "m" };
	expect(bounded([problem])).toEqual([problem]);
	const many = bounded(Array(LIMITS.problemsPerDocument + 5).fill(problem));
	expect(many).toHaveLength(LIMITS.problemsPerDocument);
	expect(many.at(-1)?.message).toBe("and 6 more problems");
});

it("takes etags as header fields have them, and no document to delete", () => {
	const taken = (operation: object) =>
		transactionSchema.safeParse({ operations: [operation] }).success;
	const path = "/ip-lists/l";
	expect(taken({ method: "DELETE", path, if_match: '"a", "b"', if_none_match: "*" })).toBe(true);
	expect(taken({ method: "DELETE", path, if_match: "a" })).toBe(false);
	expect(taken({ method: "DELETE", path, document: {} })).toBe(false);
	expect(taken({ method: "PUT", path, document: {} })).toBe(true);
});
