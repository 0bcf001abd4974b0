/** What all stored documents have alike, seen at the API: GET with etags, DELETE with preconditions and its audit line. */
import { expect, it } from "vitest";
import { backend, edge, expectError, startApi } from "../api.ts";

const ROUTE = "/edges/https/e/routes/r";

it.each([
	["/edges/https/e", "ERR_EDGE_NOT_FOUND", "deleteEdge"],
	[ROUTE, "ERR_ROUTE_NOT_FOUND", "deleteRoute"],
	[`${ROUTE}/policy`, "ERR_POLICY_NOT_FOUND", "deletePolicy"],
	[`${ROUTE}/traffic_policy`, "ERR_POLICY_NOT_FOUND", "deleteTrafficPolicy"],
	["/ip-lists/l", "ERR_IP_LIST_NOT_FOUND", "deleteIpList"],
])("%s", async (path, notFound, operation) => {
	const api = await startApi();
	const route = { match_type: "path_prefix", match: "/", backend };
	await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
	await api.send("PUT", ROUTE, { body: route });
	await api.send("PUT", `${ROUTE}/policy`, { body: {} });
	await api.send("PUT", "/ip-lists/l", { body: { entries: [] } });
	const etag = String((await api.send("GET", path)).headers.get("etag"));
	const known = await api.send("GET", path, { headers: { "if-none-match": etag } });
	expect([known.status, known.text]).toEqual([304, ""]);
	const stale = { headers: { "if-match": '"stale"' } };
	for (const method of ["GET", "DELETE"])
		expectError(await api.send(method, path, stale), 412, "ERR_PRECONDITION_FAILED");
	const removed = await api.send("DELETE", path, { headers: { "if-match": etag } });
	expect([removed.status, removed.text]).toEqual([204, ""]);
	expect(api.audited.at(-1)).toMatchObject({ operation });
	for (const method of ["GET", "DELETE"]) expectError(await api.send(method, path), 404, notFound);
});
