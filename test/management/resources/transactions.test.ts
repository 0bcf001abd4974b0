/** Several changes as one: checked like single ones, told with places, published once, audited one by one. */
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { backend, edge, expectError, startApi } from "../api.ts";

const EDGE = "/edges/https/e";
const ROUTE = `${EDGE}/routes/r`;
const route = (match: string) => ({ match_type: "path_prefix", match, backend });
const deny = { inbound: [{ name: "no", actions: [{ type: "deny" }] }] };
const put = (path: string, document: unknown, more: object = {}) => ({
	...{ method: "PUT", path, document },
	...more,
});
const post = (operations: readonly object[]) => ({ body: { operations } });

it("does all, answers with what became of each, publishes once and audits each change", async () => {
	const api = await startApi();
	const operations = [
		put("/ip-lists/l", { entries: ["192.0.2.1"] }),
		put(`${ROUTE}/policy`, {
			inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["l"] } }] }],
		}),
		put(EDGE, edge("a.example")),
		put(ROUTE, route("/a")),
	];
	const first = await api.send("POST", "/transactions", post(operations));
	expect(first.status).toBe(200);
	expect(first.json.operations.map((each: { result: string }) => each.result)).toEqual(
		Array(4).fill("created"),
	);
	expect(first.json.operations[2]).toEqual({
		path: EDGE,
		result: "created",
		etag: (await api.send("GET", EDGE)).headers.get("etag"),
		warnings: [],
	});
	// the route came with it, so the policy is not without one
	expect(first.json.operations[1].warnings).toEqual([]);
	expect(api.published.map(({ kind }) => kind)).toEqual(["ip_list", "policy", "edge", "route"]);
	expect(api.audited.at(-5)).toMatchObject({
		operation: "runTransaction",
		operations: 4,
		result: "changed",
		status: 200,
	});
	expect(api.audited.slice(-4)).toMatchObject([
		{ operation: "putIpList", transaction: 0, ip_list: "l", before: null, result: "created" },
		{ operation: "putPolicy", transaction: 1, edge: "e", route: "r" },
		{ operation: "putEdge", transaction: 2, edge: "e" },
		{ operation: "putRoute", transaction: 3, request_id: first.headers.get("request-id") },
	]);
	expect(api.audited.at(-2)).not.toHaveProperty("route");
	const again = await api.send("POST", "/transactions", post(operations));
	expect(again.json.operations[0].result).toBe("unchanged");
	expect(api.audited.at(-1)).toMatchObject({ operation: "runTransaction", result: "unchanged" });
	const etag = again.json.operations[2].etag;
	const gone = [{ method: "DELETE", path: EDGE, if_match: etag }];
	expect((await api.send("POST", "/transactions", post(gone))).json.operations).toEqual([
		{ path: EDGE, result: "deleted", etag: null, warnings: [] },
	]);
	expect((await api.send("GET", ROUTE)).status).toBe(404);
});

it("tells all problems of all documents, and of tests, with places in the body", async () => {
	const api = await startApi();
	const mistakes = await api.send(
		"POST",
		"/transactions",
		post([
			put(EDGE, { hostports: [] }),
			put(`${ROUTE}/policy`, { inbound: [{ actions: [{ type: "denny" }] }] }),
			put("/nowhere", {}),
			put("/edges/https/e%20/routes/r", {}),
			put(EDGE, { ...edge("a"), id: "f" }),
			put("/ip-lists/l", { entries: ["x"] }),
			put(`${ROUTE}/policy`, {
				...deny,
				tests: [{ name: "t", request: {}, expect: { status: 200 } }],
			}),
		]),
	);
	await expectError(mistakes, 400, "ERR_INVALID_DOCUMENT");
	const { problems } = mistakes.json;
	expect(problems.map((each: { pointer: string }) => each.pointer)).toEqual([
		"/operations/0/document/hostports",
		"/operations/1/document/inbound/0/actions/0/type",
		"/operations/2/path",
		"/operations/3/path",
		"/operations/4/document/id",
		"/operations/5/document/entries/0",
		"/operations/6/document/tests/0/expect/status",
	]);
	const untrue = await api.send(
		"POST",
		"/transactions",
		post([
			put(`${ROUTE}/policy`, { tests: [{ name: "t", request: {}, expect: { status: 404 } }] }),
		]),
	);
	await expectError(untrue, 422, "ERR_TESTS_FAILED");
	const malformed = await api.send(
		"POST",
		"/transactions",
		post([{ method: "PATCH", path: EDGE }]),
	);
	await expectError(malformed, 400, "ERR_INVALID_DOCUMENT");
	await expectError(await api.send("POST", "/transactions", post([])), 400, "ERR_INVALID_DOCUMENT");
	const large = "x".repeat(LIMITS.policyBytes);
	const long = await api.send(
		"POST",
		"/transactions",
		post([put(`${ROUTE}/policy`, { inbound: [{ name: large, actions: [{ type: "deny" }] }] })]),
	);
	expect(long.json.problems[0]).toMatchObject({
		pointer: "/operations/0/document",
		code: "too_big",
	});
	expect(api.published).toEqual([]);
});

it("does nothing where the store refuses some, and names each with the code that it has alone", async () => {
	const api = await startApi();
	await api.send("PUT", "/edges/https/other", { body: edge("b.example") });
	api.published.length = 0;
	const answer = await api.send(
		"POST",
		"/transactions",
		post([
			put("/edges/https/f", edge("c.example")),
			put(EDGE, edge("b.example")),
			{ method: "DELETE", path: ROUTE },
			{ method: "DELETE", path: "/ip-lists/no" },
			put("/edges/https/other", edge("d.example"), { if_match: '"stale"' }),
			put(`${ROUTE}/policy`, {
				inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["no"] } }] }],
			}),
		]),
	);
	await expectError(answer, 409, "ERR_TRANSACTION_REFUSED");
	expect(
		answer.json.problems.map((each: { pointer: string; code: string }) => [
			each.pointer,
			each.code,
		]),
	).toEqual([
		["/operations/1", "ERR_HOSTPORT_CONFLICT"],
		["/operations/2", "ERR_EDGE_NOT_FOUND"],
		["/operations/3", "ERR_IP_LIST_NOT_FOUND"],
		["/operations/4", "ERR_PRECONDITION_FAILED"],
		["/operations/5/document/inbound/0/actions/0/config/lists/0", "unknown_ip_list"],
	]);
	expect(api.published).toEqual([]);
	expect((await api.send("GET", "/edges/https/f")).status).toBe(404);
	expect(api.audited.at(-1)).toMatchObject({ operation: "runTransaction", result: "refused" });
});
