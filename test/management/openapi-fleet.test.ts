/** What the description says of fleets: operations, what changes may wait for, and fields of answers. */
import { expect, it } from "vitest";
import { openApiDocument } from "../../src/management/openapi.ts";
import { FLEET_SCHEMAS, fleetPaths } from "../../src/management/openapi-fleet.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON documents are looked into
const plain = (value: object): any => JSON.parse(JSON.stringify(value));

it("has the operations of a fleet, with their refusals", () => {
	const paths = plain(fleetPaths());
	expect(paths["/fleet"].get.responses["202"]).toBeDefined();
	expect(JSON.stringify(paths["/fleet/log"])).toContain("ERR_NO_FLEET");
	const forget = paths["/fleet/members/{member_id}"].delete;
	expect(forget.operationId).toBe("forgetMember");
	expect(JSON.stringify(forget)).toContain("ERR_FLEET_MEMBER_NOT_FOUND");
	expect(Object.keys(FLEET_SCHEMAS)).toEqual(["Fleet", "FleetLog"]);
});

it("lets every change of a document wait, and no read", () => {
	const { paths } = plain(openApiDocument({ rulesPerPhase: 1 }));
	for (const [path, methods] of Object.entries<Record<string, { operationId?: string }>>(paths))
		for (const [method, operation] of Object.entries(methods)) {
			const text = JSON.stringify(operation);
			const isChange = /^(?:put|delete|changeIp|runTransaction|rollback|promote)/.test(
				operation.operationId ?? "",
			);
			expect([path, method, text.includes('"enum":["fleet"]')]).toEqual([path, method, isChange]);
			if (isChange) expect(text).toContain("ERR_FLEET_UNCERTAIN");
		}
});

it("tells of the revision in every answer", () => {
	const { paths } = plain(openApiDocument({ rulesPerPhase: 1 }));
	const { get, put } = paths["/edges/https/{edge_id}"];
	expect(get.responses["200"].headers).toHaveProperty("fleet-revision");
	expect(put.responses["202"].headers).toHaveProperty("fleet-missing");
});
