/** What the description says of versions of policies. */
import { expect, it } from "vitest";
import { VERSION_SCHEMAS, versionPaths } from "../../src/management/openapi-versions.ts";

it("has the operations of versions, with their refusals and what a rollback tells", () => {
	// biome-ignore lint/suspicious/noExplicitAny: JSON documents are looked into
	const paths: any = versionPaths([]);
	const [list, one, rollback] = Object.keys(paths);
	expect(paths[list ?? ""].get.operationId).toBe("listVersions");
	expect(JSON.stringify(paths[one ?? ""])).toContain("ERR_POLICY_VERSION_NOT_FOUND");
	const { post } = paths[rollback ?? ""];
	expect(post.responses["200"].headers).toHaveProperty("policy-version");
	expect(post.responses["200"].headers).toHaveProperty("policy-changed");
	expect(JSON.stringify(post)).toContain("ERR_PRECONDITION_FAILED");
	expect(Object.keys(VERSION_SCHEMAS)).toEqual(["ListedPolicyVersion", "Rollback"]);
});
