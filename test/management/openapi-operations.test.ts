/** What each kind of operation says of itself. */
import { expect, it } from "vitest";
import {
	changeOperation,
	documentOperations,
	idParameter,
	listOperation,
	operation,
} from "../../src/management/openapi-operations.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON documents are looked into
const plain = (value: object): any => JSON.parse(JSON.stringify(value));

it("names operations after what they are about", () => {
	const one = plain(documentOperations("IpList", [idParameter("list_id")], true));
	expect([one.get, one.put, one.delete].map(({ operationId }) => operationId)).toEqual([
		"getIpList",
		"putIpList",
		"deleteIpList",
	]);
	expect(Object.keys(one.put.responses)).toEqual(["200", "201", "default"]);
	expect(Object.keys(one.put.requestBody.content)).toEqual([
		"application/json",
		"application/yaml",
	]);
	expect(plain(listOperation("ListedIpList", "ip_lists", [])).get.operationId).toBe("listIpLists");
	expect(plain(operation("health", "text/plain", null)).get.security).toEqual([]);
	const change = plain(changeOperation("changeIt", [], "Change", "It")).post;
	expect([change.operationId, change.security]).toEqual(["changeIt", [{ bearer: ["admin"] }]]);
});
