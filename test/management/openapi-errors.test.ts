/** The refusals of an operation: by status, in the table's order, each with its words. */
import { expect, it } from "vitest";
import { ERROR_CODES } from "../../src/error-codes.ts";
import { OF_ANY, referredRefusals, refusals } from "../../src/management/openapi-errors.ts";
import { idParameter, KEY_PARAMETER, PAGE } from "../../src/management/openapi-parameters.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON documents are looked into
const plain = (value: object): any => JSON.parse(JSON.stringify(value));

const codesOf = (found: object): string[] => JSON.stringify(found).match(/ERR_[A-Z_]+/g) ?? [];

it("has one response for each status, with the codes that it may carry", () => {
	const found = plain(refusals("read", [], ["ERR_EDGE_NOT_FOUND", "ERR_ROUTE_NOT_FOUND"]));
	expect(found["404"].$ref).toBe("#/components/responses/ERR_EDGE_NOT_FOUND.ERR_ROUTE_NOT_FOUND");
	for (const [status, reference] of Object.entries<object>(found))
		for (const code of codesOf(reference))
			expect(ERROR_CODES[code as keyof typeof ERROR_CODES].status).toBe(Number(status));
});

it("knows what parameters and keys can be refused for", () => {
	expect(codesOf(refusals(null, [], [])).toSorted()).toEqual(OF_ANY.toSorted());
	expect(codesOf(refusals("read", [], []))).toContain("ERR_KEY_EXPIRED");
	expect(codesOf(refusals(null, [idParameter("id")], []))).toContain("ERR_INVALID_ID");
	expect(codesOf(refusals(null, [KEY_PARAMETER], []))).toContain("ERR_INVALID_KEY");
	expect(codesOf(refusals(null, PAGE, []))).toContain("ERR_INVALID_QUERY");
});

it("tells cause and remedy of each code, once for all operations", () => {
	const paths = { a: refusals("read", [], []), b: refusals("read", [], []) };
	const found = plain(referredRefusals(paths, { "request-id": {} }));
	const name = "ERR_UNAUTHORIZED";
	expect(found[name].description).toContain(ERROR_CODES[name].remedy);
	expect(Object.keys(found[name].headers)).toEqual(["request-id", "www-authenticate"]);
	const [, own] = found[name].content["application/json"].schema.allOf;
	expect(own.properties.error_code.enum).toEqual([name]);
	expect(Object.keys(found).length).toBe(Object.keys(paths.a).length);
});
