/** Names of routes and numbers of versions as people write them, and lists that have several pages. */
import { expect, it } from "vitest";
import { ApiClient, ApiFailure } from "../../../src/process/api/api-client.ts";
import {
	isVersionNumber,
	policyNow,
	policyPathOf,
	versionAt,
	versionsOf,
} from "../../../src/process/api/versions.ts";
import { edge, POLICY, route, startApi } from "../../management/api.ts";

it("knows routes and versions by their names", () => {
	expect(policyPathOf("e/r")).toBe(POLICY);
	expect(policyPathOf("e/ä")).toBe("/edges/https/e/routes/%C3%A4/policy");
	for (const name of ["", "e", "/r", "e/", "e/r/x"]) expect(policyPathOf(name)).toBeUndefined();
	expect(["1", "50"].every(isVersionNumber)).toBe(true);
	expect(["", "0", "-1", "1.5", "x", "01"].some(isVersionNumber)).toBe(false);
});

it("reads all versions, each of them, and what is in force", async () => {
	const api = await startApi();
	const client = new ApiClient(`http://127.0.0.1:${api.port}`, api.key);
	expect(await policyNow(client, POLICY)).toBeUndefined();
	await expect(versionsOf(client, POLICY)).rejects.toThrow(ApiFailure);
	await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
	await api.send("PUT", "/edges/https/e/routes/r", { body: route("/") });
	for (const name of ["one", "two"])
		await api.send("PUT", POLICY, { body: { inbound: [{ name, actions: [{ type: "deny" }] }] } });
	const versions = await versionsOf(client, POLICY);
	expect(versions.map(({ version }) => version)).toEqual([2, 1]);
	expect((await versionAt(client, POLICY, "1")).inbound[0]?.name).toBe("one");
	await expect(versionAt(client, POLICY, "9")).rejects.toThrow(/1 to 2 are kept/);
	const now = await policyNow(client, POLICY);
	expect(now).toMatchObject({ etag: versions[0]?.etag, document: { inbound: [{ name: "two" }] } });
});
