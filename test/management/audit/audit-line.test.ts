/**
 * Every request that asks for a change is one audit line, whatever becomes of it, and no other request is (contract 2,
 * "Audit").
 */
import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createApiKey } from "../../../src/management/api-keys.ts";
import type { Context } from "../../../src/management/context.ts";
import { POLICY_CHECK_PATH } from "../../../src/management/http/public-paths.ts";
import { openApiDocument } from "../../../src/management/openapi.ts";
import { routesOf } from "../../../src/management/routes.ts";
import { openStore } from "../../../src/store/open.ts";
import { StoreError } from "../../../src/store/store-error.ts";
import { temporaryFolder } from "../../store/folder.ts";
import {
	type Api,
	type AuditLine,
	edge,
	header,
	headerEnd,
	POLICY,
	raw,
	route,
	type Sending,
	startApi,
} from "../api.ts";

const EDGE = "/edges/https/e";
const ROUTE = `${EDGE}/routes/r`;

/** The only line of a request, and its answer's etag. */
async function audited(
	api: Api,
	method: string,
	path: string,
	sending: Sending = {},
): Promise<AuditLine & { readonly etag: string | null }> {
	const before = api.audited.length;
	const answer = await api.send(method, path, sending);
	expect(api.audited.length - before, `${method} ${path}`).toBe(1);
	const line = api.audited.at(-1) ?? {};
	expect(line).toMatchObject({ via: "api", status: answer.status, client_ip: "127.0.0.1" });
	expect(line.request_id).toBe(answer.headers.get("request-id"));
	expect(line.client_port).toBeGreaterThan(1023);
	expect(line.duration_ms).toBeGreaterThanOrEqual(0);
	expect(line.error_code).toBe(answer.json?.error_code);
	expect(JSON.stringify(line)).not.toContain(api.key);
	return { ...line, etag: answer.headers.get("etag") };
}

async function filled(): Promise<Api> {
	const api = await startApi();
	await api.send("PUT", EDGE, { body: edge("a.example") });
	await api.send("PUT", ROUTE, { body: route("/") });
	await api.send("PUT", POLICY, { body: {} });
	return api;
}

describe("changes", () => {
	it("names key, operation, resource, versions and result", async () => {
		const api = await startApi();
		const key = { key_id: api.store.keys()[0]?.id, key_name: "test" };
		const made = await audited(api, "PUT", EDGE, { body: edge("a.example") });
		expect(made).toMatchObject({
			...key,
			operation: "putEdge",
			edge: "e",
			before: null,
			after: made.etag,
			result: "created",
		});
		const same = await audited(api, "PUT", EDGE, { body: edge("a.example") });
		expect(same).toMatchObject({ before: made.etag, after: made.etag, result: "unchanged" });
		const other = await audited(api, "PUT", EDGE, { body: edge("b.example") });
		expect(other).toMatchObject({ before: made.etag, after: other.etag, result: "changed" });
		const routed = await audited(api, "PUT", ROUTE, { body: route("/") });
		expect(routed).toMatchObject({ operation: "putRoute", edge: "e", route: "r" });
		const deleted = await audited(api, "DELETE", ROUTE);
		expect(deleted).toMatchObject({
			operation: "deleteRoute",
			before: routed.etag,
			after: null,
			result: "deleted",
		});
		expect(deleted.also_deleted).toBeUndefined();
		expect(JSON.stringify(api.audited)).not.toMatch(/"(method|path|client_gone|rules)"/);
	});

	it("names the rules of a policy that were added, changed and removed, and the switch", async () => {
		const api = await startApi();
		const rule = (name: string, status_code: number) => ({
			name,
			actions: [{ type: "deny", config: { status_code } }],
		});
		const first = await audited(api, "PUT", POLICY, {
			body: { inbound: [rule("a", 403), rule("b", 403)] },
		});
		expect(first).toMatchObject({
			operation: "putPolicy",
			rules: { inbound: { added: ["a", "b"] } },
		});
		expect(first.enabled).toBeUndefined();
		const second = await audited(api, "PUT", POLICY, {
			body: { enabled: false, inbound: [rule("b", 404), rule("", 403)] },
		});
		expect(second).toMatchObject({
			result: "changed",
			enabled: false,
			rules: { inbound: { added: [1], changed: ["b"], removed: ["a"] } },
		});
		const swapped = await audited(api, "PUT", POLICY, {
			body: { enabled: false, inbound: [rule("", 403), rule("b", 404)] },
		});
		expect(swapped).toMatchObject({ result: "changed" });
		expect(swapped.rules ?? swapped.enabled).toBeUndefined();
	});

	it("counts what is deleted along with a route or an edge", async () => {
		const api = await filled();
		await api.send("PUT", `${EDGE}/routes/r2`, { body: route("/b") });
		await api.send("PUT", `${EDGE}/routes/r2/policy`, { body: {} });
		expect(await audited(api, "DELETE", ROUTE)).toMatchObject({
			also_deleted: { routes: 0, policies: 1 },
		});
		await api.send("PUT", ROUTE, { body: route("/") });
		expect(await audited(api, "DELETE", EDGE)).toMatchObject({
			operation: "deleteEdge",
			also_deleted: { routes: 2, policies: 1 },
		});
	});

	it("has the operations of the API's description, for all that change something", () => {
		const { paths } = openApiDocument({ rulesPerPhase: 500 }) as {
			paths: Record<string, Record<string, { operationId?: string }>>;
		};
		const routes = routesOf({ limits: { policyBytes: 1, rules: 1 } } as Context);
		for (const { pattern, methods } of routes)
			for (const [method, { operation }] of Object.entries(methods)) {
				const described = paths[pattern]?.[method.toLowerCase()]?.operationId;
				expect(operation, `${method} ${pattern}`).toBe(
					method === "GET" || pattern === POLICY_CHECK_PATH ? undefined : described,
				);
			}
	});
});

describe("refusals", () => {
	it.each<[string, string, string, number, Sending]>([
		["no key", "PUT", EDGE, 401, { key: null, body: {} }],
		["a wrong key", "DELETE", EDGE, 403, { key: "wrong" }],
		["another version", "DELETE", EDGE, 400, { headers: { "service-version": "3" } }],
		["no JSON", "PUT", EDGE, 400, { body: "{" }],
		["a bad document", "PUT", POLICY, 400, { body: { inbound: 1 } }],
		["another media type", "PUT", EDGE, 415, { body: "a", headers: { "content-type": "a/b" } }],
		["a body that is too large", "PUT", POLICY, 413, { body: `"${"a".repeat(1_048_576)}"` }],
		["a precondition", "PUT", POLICY, 412, { body: {}, headers: { "if-none-match": "*" } }],
		["a precondition of DELETE", "DELETE", EDGE, 412, { headers: { "if-match": '"x"' } }],
		["a malformed precondition", "DELETE", EDGE, 400, { headers: { "if-match": "x" } }],
		["a hostport", "PUT", "/edges/https/f", 409, { body: edge("a.example") }],
		["a match", "PUT", `${EDGE}/routes/s`, 409, { body: route("/") }],
		["no edge", "PUT", "/edges/https/f/routes/r", 404, { body: route("/") }],
		["nothing there", "DELETE", "/edges/https/f", 404, {}],
	])("%s", async (_what, method, path, status, sending) => {
		const api = await filled();
		const line = await audited(api, method, path, sending);
		expect(line).toMatchObject({ status, result: "refused" });
		expect(line.operation).toMatch(/^(put|delete)(Edge|Route|Policy)$/);
		expect(line.after).toBeUndefined();
		expect(line.key_name).toBe(sending.key === undefined ? "test" : undefined);
	});

	it("tell the version that is there, where the store was asked", async () => {
		const api = await filled();
		const etag = (await api.send("GET", EDGE)).headers.get("etag");
		const headers = { "if-match": '"x"' };
		expect((await audited(api, "PUT", EDGE, { body: edge("b"), headers })).before).toBe(etag);
		const missing = "/edges/https/f";
		expect((await audited(api, "PUT", missing, { body: edge("b"), headers })).before).toBeNull();
		expect((await audited(api, "DELETE", missing)).before).toBeNull();
	});

	it.each([
		["POST", EDGE, 405, { edge: "e" }],
		["PATCH", POLICY, 405, { edge: "e", route: "r" }],
		["DELETE", "/edges/https", 405, {}],
		["PUT", "/nothing\u001b/here", 404, {}],
		["PUT", "/edges/https/a%20b", 400, { operation: "putEdge" }],
		["PUT", `${EDGE}/routes/a%0ab/policy`, 400, { operation: "putPolicy", edge: "e" }],
	])("%s %s names method and path instead", async (method, path, status, expected) => {
		const api = await filled();
		const sent = encodeURI(decodeURI(path));
		const line = await audited(api, method, sent, method === "PUT" ? { body: {} } : {});
		expect(line).toMatchObject({ status, method, path: sent, result: "refused", ...expected });
	});

	it("cuts a long path", async () => {
		const api = await startApi();
		const line = await audited(api, "DELETE", `/${"a".repeat(2000)}`);
		expect(line.path).toHaveLength(256);
	});

	it("names a key that has expired, and one whose role does not suffice", async () => {
		const api = await filled();
		for (const [name, options, code] of [
			["late", { expiresAt: "2020-01-01T00:00:00.000Z" }, "ERR_KEY_EXPIRED"],
			["reader", { role: "read" }, "ERR_ROLE_REQUIRED"],
		] as const) {
			const { id, key } = await createApiKey(api.store, name, options);
			const line = await audited(api, "DELETE", EDGE, { key });
			expect(line).toMatchObject({ status: 403, error_code: code, key_id: id, key_name: name });
			expect(JSON.stringify(line)).not.toContain(key);
		}
	});

	it.each([
		["a host that is not the API's", { host: "evil.example" }, 421],
		["another origin", { origin: "http://evil.example" }, 403],
	])("of %s", async (_what, headers, status) => {
		const api = await startApi();
		const lines = Object.entries(headers).map((line) => line.join(": "));
		const request = header(api.key, `DELETE ${EDGE}`, ...lines);
		const own = "host" in headers ? request.replace(/host: [^\r]*\r\n/, "") : request;
		await raw(api.port, own, headerEnd);
		expect(api.audited).toMatchObject([{ operation: "deleteEdge", status, result: "refused" }]);
	});

	it("of bad framing", async () => {
		const api = await startApi();
		const request = header(api.key, `PUT ${EDGE}`, "content-length: 1", "content-length: 2");
		await raw(api.port, request, headerEnd);
		expect(api.audited).toMatchObject([
			{ operation: "putEdge", status: 400, error_code: "ERR_BAD_REQUEST", client_ip: "127.0.0.1" },
		]);
		expect(api.audited[0]).not.toHaveProperty("key_id");
	});
});

describe("failures", () => {
	it("of the store", async () => {
		const store = openStore(temporaryFolder());
		const api = await startApi({ store });
		vi.spyOn(store, "by").mockReturnValue(store);
		vi.spyOn(store, "putEdge").mockRejectedValue(new StoreError("full", { full: true }));
		const line = await audited(api, "PUT", EDGE, { body: edge("a.example") });
		expect(line).toMatchObject({ result: "failed", status: 507, error_code: "ERR_STORE_FULL" });
		expect(line).not.toHaveProperty("after");
	});

	it("after the commit tell what was committed", async () => {
		const api = await startApi({
			publisher: { publish: () => Promise.reject(new Error("no worker")) },
		});
		const line = await audited(api, "PUT", EDGE, { body: edge("a.example") });
		const etag = (await api.send("GET", EDGE)).headers.get("etag");
		expect(line).toMatchObject({ result: "failed", status: 500, before: null, after: etag });
	});
});

describe("clients that leave", () => {
	const body = JSON.stringify(edge("a.example"));

	it("have a line for a change that was committed", async () => {
		let release: (() => void) | undefined;
		const api = await startApi({
			publisher: { publish: () => new Promise((resolve) => (release = resolve)) },
		});
		const lines = ["content-type: application/json", `content-length: ${body.length}`];
		const socket = connect(api.port, "127.0.0.1", () =>
			socket.write(header(api.key, `PUT ${EDGE}`, ...lines) + body),
		);
		await vi.waitUntil(() => release !== undefined);
		socket.destroy();
		await api.send("GET", "/healthz");
		expect(api.audited).toEqual([]);
		release?.();
		await vi.waitUntil(() => api.audited.length > 0);
		expect(api.audited).toMatchObject([{ result: "created", status: 201, client_gone: true }]);
	});

	it("in the middle of the body have one that says so", async () => {
		const api = await startApi();
		const lines = ["content-type: application/json", `content-length: ${body.length}`];
		const socket = connect(api.port, "127.0.0.1", () =>
			socket.write(header(api.key, `PUT ${EDGE}`, ...lines) + body.slice(1), () => socket.end()),
		);
		await vi.waitUntil(() => api.audited.length > 0);
		expect(api.audited).toMatchObject([{ result: "abandoned", client_gone: true, edge: "e" }]);
		expect(api.audited[0]).not.toHaveProperty("status");
	});
});

it("requests that change nothing have none", async () => {
	const api = await filled();
	const before = api.audited.length;
	for (const [method, path] of [
		["GET", EDGE],
		["HEAD", POLICY],
		["GET", "/nothing"],
		["OPTIONS", EDGE],
		["GET", "/metrics"],
	] as const)
		await api.send(method, path);
	await api.send("GET", EDGE, { key: "wrong" });
	expect(api.audited.length).toBe(before);
});
