/** What each kind of operation says of itself. */
import { expect, it } from "vitest";
import {
	changeOperation,
	deleteOperation,
	documentOperations,
	listOperation,
	operation,
	readOperation,
} from "../../src/management/openapi-operations.ts";
import { idParameter } from "../../src/management/openapi-parameters.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON documents are looked into
const plain = (value: object): any => JSON.parse(JSON.stringify(value));

it("names operations after what they are about", () => {
	const one = plain(documentOperations("IpList", [idParameter("list_id")], true));
	expect([one.get, one.put, one.delete].map(({ operationId }) => operationId)).toEqual([
		"getIpList",
		"putIpList",
		"deleteIpList",
	]);
	expect(Object.keys(one.put.responses).slice(0, 2)).toEqual(["200", "201"]);
	expect(one.put.requestBody.content["application/json"].schema.$ref).toMatch(/\/IpList$/);
	expect(one.put.responses["200"].content["application/json"].schema.$ref).toMatch(
		/\/StoredIpList$/,
	);
	expect(Object.keys(one.put.requestBody.content)).toEqual([
		"application/json",
		"application/yaml",
	]);
	expect(plain(listOperation("ListedIpList", "ip_lists", [])).get.operationId).toBe("listIpLists");
	expect(plain(operation("health", "text/plain", null)).get.security).toEqual([]);
	const change = plain(changeOperation("changeIt", [], "Change", "It")).post;
	expect([change.operationId, change.security]).toEqual(["changeIt", [{ bearer: ["admin"] }]]);
});

it("says which codes each kind answers with, by status", () => {
	const id = [idParameter("list_id")];
	const codesOf = ({ responses }: { responses: Record<string, { $ref?: string }> }) =>
		Object.values(responses).flatMap(({ $ref = "" }) => $ref.match(/ERR_[A-Z_]+/g) ?? []);
	const one = plain(documentOperations("IpList", id, true, { delete: ["ERR_IP_LIST_IN_USE"] }));
	expect(codesOf(one.get)).not.toContain("ERR_INVALID_DOCUMENT");
	expect(codesOf(one.put)).toEqual(
		expect.arrayContaining(["ERR_INVALID_DOCUMENT", "ERR_INVALID_ID", "ERR_STORE_FULL"]),
	);
	expect(codesOf(one.put)).not.toContain("ERR_IP_LIST_IN_USE");
	expect(codesOf(one.delete)).toContain("ERR_IP_LIST_IN_USE");
	expect(codesOf(plain(listOperation("ListedIpList", "ip_lists", [])).get)).toContain(
		"ERR_INVALID_QUERY",
	);
	expect(codesOf(plain(operation("health", "text/plain", null)).get)).not.toContain(
		"ERR_UNAUTHORIZED",
	);
	expect(codesOf(plain(readOperation("x", [], "X", ["ERR_NOT_READY"])).get)).toContain(
		"ERR_NOT_READY",
	);
	expect(codesOf(plain(deleteOperation("x", [], ["ERR_NOT_READY"])).delete)).toContain(
		"ERR_NOT_READY",
	);
});
