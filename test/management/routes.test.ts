/**
 * What a key may do by its role (contract 2, "Roles"): every operation that the API has, with a key of each role. A new
 * operation fails here until this table says which role it needs.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Explanation } from "../../src/explain/shapes.ts";
import { Counters } from "../../src/limiter/binding.ts";
import { SharedCounts } from "../../src/limiter/counted-limits.ts";
import { createApiKey } from "../../src/management/api-keys.ts";
import type { Context } from "../../src/management/context.ts";
import { isAskingPath } from "../../src/management/http/public-paths.ts";
import { LiveApi } from "../../src/management/live/live-api.ts";
import type { Decision } from "../../src/management/live/shapes.ts";
import { openApiDocument } from "../../src/management/openapi.ts";
import { routesOf } from "../../src/management/routes.ts";
import { KEY_ROLES, type KeyRole } from "../../src/store/key-roles.ts";
import { temporaryFolder } from "../store/folder.ts";
import { backend, edge, expectError, startApi } from "./api.ts";
import { FakeFleet } from "./fleet/fake-fleet.ts";

const EDGE = "/edges/https/{edge_id}";
const ROUTE = `${EDGE}/routes/{id}`;
const LIST = "/ip-lists/{list_id}";
const KEYS = `${ROUTE}/rate-limits/{limit}/keys/{key}`;

const NEEDED: Readonly<Record<string, KeyRole | null>> = {
	"GET /edges/https": "read",
	[`GET ${EDGE}`]: "read",
	[`PUT ${EDGE}`]: "admin",
	[`DELETE ${EDGE}`]: "admin",
	[`GET ${EDGE}/routes`]: "read",
	[`GET ${ROUTE}`]: "read",
	[`PUT ${ROUTE}`]: "admin",
	[`DELETE ${ROUTE}`]: "admin",
	[`GET ${ROUTE}/policy`]: "read",
	[`PUT ${ROUTE}/policy`]: "admin",
	[`DELETE ${ROUTE}/policy`]: "admin",
	[`GET ${ROUTE}/policy/versions`]: "read",
	[`GET ${ROUTE}/policy/versions/{version}`]: "read",
	[`POST ${ROUTE}/policy/rollback`]: "admin",
	[`GET ${ROUTE}/traffic_policy`]: "read",
	[`PUT ${ROUTE}/traffic_policy`]: "admin",
	[`DELETE ${ROUTE}/traffic_policy`]: "admin",
	[`GET ${ROUTE}/rate-limits`]: "read",
	[`GET ${KEYS}`]: "read",
	[`DELETE ${KEYS}`]: "admin",
	"GET /policies": "read",
	"GET /ip-lists": "read",
	[`GET ${LIST}`]: "read",
	[`PUT ${LIST}`]: "admin",
	[`DELETE ${LIST}`]: "admin",
	[`POST ${LIST}/entries`]: "admin",
	[`GET ${ROUTE}/policy/candidate`]: "read",
	[`PUT ${ROUTE}/policy/candidate`]: "admin",
	[`DELETE ${ROUTE}/policy/candidate`]: "admin",
	[`GET ${ROUTE}/policy/candidate/report`]: "read",
	[`POST ${ROUTE}/policy/candidate/promote`]: "admin",
	[`GET ${ROUTE}/policy/hits`]: "read",
	"GET /fleet": "read",
	"GET /fleet/log": "read",
	"DELETE /fleet/members/{member_id}": "admin",
	"POST /transactions": "admin",
	"POST /policy/check": "read",
	"POST /explain": "read",
	[`POST ${ROUTE}/policy/explain`]: "read",
	"POST /explain-tokens": "admin",
	"GET /policy/language": "read",
	"GET /live/events": "read",
	"GET /live/routes": "read",
	"GET /live/refusals": "read",
	"GET /live/limits": "read",
	"GET /decisions/{key}": "read",
	"GET /ui/{key}": null,
	"GET /healthz": null,
	"GET /readyz": "metrics",
	"GET /metrics": "metrics",
	"GET /openapi.json": "read",
	"GET /schemas/policy.json": "read",
	"GET /schemas/edge.json": "read",
	"GET /schemas/route.json": "read",
	"GET /schemas/ip-list.json": "read",
	"GET /schemas/resources.json": "read",
	"GET /schemas/config.json": "read",
};

const all = routesOf({ limits: { policyBytes: 1, rules: 1 } } as Context).flatMap(
	({ pattern, methods }) =>
		Object.entries(methods).map(([method, { role }]) => ({ method, pattern, role })),
);

const documentFor = (pattern: string): object => {
	if (pattern === EDGE) return edge("a.example");
	if (isAskingPath(pattern) && pattern !== "/policy/check")
		return { request: { url: "http://a.example/" } };
	if (pattern.endsWith("/rollback")) return { to: 1 };
	if (pattern === LIST) return { entries: [] };
	if (pattern.startsWith(LIST)) return { add: ["::1"] };
	if (pattern === "/transactions") {
		const operation = { method: "PUT", path: "/ip-lists/l", document: { entries: ["::1"] } };
		return { operations: [operation] };
	}
	if (pattern === "/explain-tokens") return { client_ip: "192.0.2.1" };
	if (pattern.endsWith("/traffic_policy")) return { value: '{"inbound": []}' };
	return pattern === ROUTE ? { match_type: "path_prefix", match: "/", backend } : { inbound: [] };
};

/** a policy whose only limit has one bucket */
const LIMITED = {
	inbound: [{ actions: [{ type: "rate-limit", config: { capacity: 1, rate: "60s" } }] }],
};

const isAllowed = (role: KeyRole, needed: KeyRole | null): boolean =>
	needed === null || KEY_ROLES.indexOf(role) <= KEY_ROLES.indexOf(needed);

describe("roles", () => {
	it("are those of the table, for every operation that there is", () => {
		const found = all.map(({ method, pattern, role }) => [`${method} ${pattern}`, role]);
		expect(Object.fromEntries(found)).toEqual(NEEDED);
	});

	it("read changes nothing, whatever operations there may be", () => {
		for (const { method, pattern, role } of all)
			if (method !== "GET" && !isAskingPath(pattern))
				expect([method, pattern, role]).toEqual([method, pattern, "admin"]);
	});

	it("stand in the published description", () => {
		// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into
		const { paths }: any = openApiDocument({ rulesPerPhase: 500 });
		for (const { method, pattern, role } of all) {
			const operation = paths[pattern]?.[method.toLowerCase()];
			expect(operation, `src/management/openapi.ts lacks ${method} ${pattern}`).toBeDefined();
			const { security } = operation;
			expect([pattern, security]).toEqual([pattern, role === null ? [] : [{ bearer: [role] }]]);
		}
	});

	it.each(KEY_ROLES)("a key for %s may do what it may, and nothing else", async (role) => {
		const counts = new SharedCounts(new Counters({}), () => 1000);
		const folder = temporaryFolder();
		writeFileSync(join(folder, "index.html"), "");
		const ui = { folder, isOn: () => true };
		const explained = {} as Explanation;
		const explainer = { explain: async () => explained };
		const explainTokens = { issue: async () => ({ token: "t", untilMs: 1 }) };
		const fleet = new FakeFleet();
		const api = await startApi({ counts: () => counts, ui, explainer, explainTokens, fleet });
		vi.spyOn(LiveApi.prototype, "decision").mockResolvedValue({} as Decision);
		const { id, key } = await createApiKey(api.store, "", { role });
		for (const { method, pattern, role: needed } of all) {
			const path = pattern
				.replace("{edge_id}", "e")
				.replace("{id}", "r")
				.replace("{list_id}", "l")
				.replace("{limit}", "0")
				.replace("{version}", "1")
				.replace("{member_id}", "m_ams-1")
				.replace("/{key}", "");
			// A stream does not end.
			const read = pattern === "/live/events" ? ["HEAD"] : ["GET", "HEAD"];
			for (const sent of method === "GET" ? read : [method]) {
				// Somebody who may lays out what there is to be read, replaced and removed.
				await api.send("PUT", "/edges/https/e", { body: edge("a.example") });
				await api.send("PUT", "/edges/https/e/routes/r", { body: documentFor(ROUTE) });
				await api.send("PUT", "/edges/https/e/routes/r/policy", { body: LIMITED });
				await api.send("PUT", "/edges/https/e/routes/r/policy/candidate", { body: LIMITED });
				await api.send("PUT", "/ip-lists/l", { body: documentFor(LIST) });
				const changes = api.published.length;
				const sending =
					method === "PUT" || method === "POST" ? { body: documentFor(pattern), key } : { key };
				const answer = await api.send(sent, path, sending);
				const what = `${sent} ${pattern}`;
				if (isAllowed(role, needed)) {
					expect([what, answer.status]).toEqual([what, method === "DELETE" ? 204 : 200]);
					continue;
				}
				expect([what, answer.status]).toEqual([what, 403]);
				expect([what, api.published.length]).toEqual([what, changes]);
				if (sent === "HEAD") continue;
				expect(expectError(answer, 403, "ERR_ROLE_REQUIRED").json.msg).toBe(
					`This operation needs a key with the role ${needed}; the key ${id} has the role ${role}.`,
				);
			}
		}
	});

	it.each(KEY_ROLES)("with a key for %s unknown paths and methods are told apart", async (role) => {
		const api = await startApi();
		const { key } = await createApiKey(api.store, "", { role });
		expectError(await api.send("GET", "/nothing", { key }), 404, "ERR_NOT_FOUND");
		expectError(await api.send("PATCH", "/edges/https", { key }), 405, "ERR_METHOD_NOT_ALLOWED");
	});
});
