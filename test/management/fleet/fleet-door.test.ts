/** What a fleet adds to the requests of the API: revisions in answers, waiting for one's own machine and for all. */
import { describe, expect, it } from "vitest";
import { FleetError } from "../../../src/fleet/fleet-error.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { backend, edge, expectError, POLICY, startApi } from "../api.ts";
import { FakeFleet } from "./fake-fleet.ts";

async function inFleet() {
	const fleet = new FakeFleet();
	const store = openStore(temporaryFolder(), { queueOf: fleet.queueOf });
	const api = await startApi({ fleet, store });
	fleet.asked.length = 0;
	fleet.origins.length = 0;
	return { api, fleet };
}

const EDGE = "/edges/https/e";
const ROUTE = `${EDGE}/routes/r`;
const documents: readonly (readonly [path: string, body: unknown])[] = [
	[EDGE, edge("a.example")],
	[ROUTE, { match_type: "path_prefix", match: "/", backend }],
	[POLICY, {}],
	[`${ROUTE}/traffic_policy`, { value: "{}" }],
	["/ip-lists/l", { entries: [] }],
];

describe("answers", () => {
	it("name the revision of this machine, to whoever was let in", async () => {
		const { api, fleet } = await inFleet();
		fleet.revision = 1234;
		const get = await api.send("GET", "/edges/https");
		expect(get.headers.get("fleet-revision")).toBe("1234");
		expect(get.headers.get("fleet-state")).toBeNull();
		const refused = await api.send("GET", EDGE);
		expect([refused.status, refused.headers.get("fleet-revision")]).toEqual([404, "1234"]);
		const stranger = await api.send("GET", EDGE, { key: null });
		expect([stranger.status, stranger.headers.get("fleet-revision")]).toEqual([401, null]);
	});

	it("name the revision that a change became", async () => {
		const { api, fleet } = await inFleet();
		const { position } = fleet.status();
		// Applied is less than it, and more: others' changes came meanwhile.
		for (const applied of [3, 3000]) {
			if (position !== undefined) fleet.own = { position: { ...position, applied } };
			const put = await api.send("PUT", EDGE, { body: edge("a.example") });
			expect(put.headers.get("fleet-revision")).toBe(String(fleet.revision));
		}
		expect(api.audited.at(-1)).toMatchObject({ operation: "putEdge", revision: fleet.revision });
	});

	it("say how this machine is where it is not in sync", async () => {
		const { api, fleet } = await inFleet();
		fleet.own = { state: "cut_off" };
		const get = await api.send("GET", "/edges/https");
		expect(get.headers.get("fleet-state")).toBe("cut_off");
	});
});

describe("a change", () => {
	it("goes to the log with its time, key and request, whatever it changes", async () => {
		const { api, fleet } = await inFleet();
		for (const [path, body] of documents) await api.send("PUT", path, { body });
		await api.send("POST", "/ip-lists/l/entries", { body: { add: ["::1"] } });
		const ids: (string | null)[] = [];
		for (const [path] of documents.toReversed()) {
			const answer = await api.send("DELETE", path);
			if (answer.status === 204) ids.push(answer.headers.get("request-id"));
		}
		expect(fleet.origins).toHaveLength(2 * documents.length + 1);
		const [{ id } = { id: "" }] = api.store.keys();
		for (const origin of fleet.origins) {
			expect(origin).toMatchObject({ key: id, isAwaited: false });
			expect(origin.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/);
		}
		expect(fleet.origins.map(({ requestId }) => requestId)).toEqual(expect.arrayContaining(ids));
	});

	it("waits for the whole fleet where it is asked to, and keeps its status", async () => {
		const { api, fleet } = await inFleet();
		const put = await api.send("PUT", `${EDGE}?wait=fleet`, { body: edge("a.example") });
		expect([put.status, put.headers.get("fleet-applied")]).toEqual([201, "1000/1000"]);
		expect(put.headers.get("fleet-missing")).toBeNull();
		expect(fleet.asked).toEqual([["attend"], ["spread", fleet.revision, 5000], ["leave"]]);
		expect(fleet.origins[0]?.isAwaited).toBe(true);
		fleet.asked.length = 0;
		const removed = await api.send("DELETE", `${EDGE}?wait=fleet&timeout=250ms`);
		expect([removed.status, removed.text]).toEqual([204, ""]);
		expect(fleet.asked[1]).toEqual(["spread", fleet.revision, 250]);
	});

	it("is 202 with the names of those that have not answered, at most twenty", async () => {
		const { api, fleet } = await inFleet();
		fleet.missing = ["ams-3", "a\r\nb: c, d"];
		const put = await api.send("PUT", `${EDGE}?wait=fleet`, { body: edge("a.example") });
		expect([put.status, put.json.hostports]).toEqual([202, ["a.example"]]);
		expect(put.headers.get("fleet-applied")).toBe("998/1000");
		expect(put.headers.get("fleet-missing")).toBe("ams-3, a??b:?c??d");
		fleet.missing = Array.from({ length: 23 }, (_, index) => `n${index}`);
		const removed = await api.send("DELETE", `${EDGE}?wait=fleet`);
		expect([removed.status, removed.text]).toEqual([202, ""]);
		expect(removed.headers.get("fleet-missing")).toMatch(/^n0, .*, n19, 3 more$/);
	});

	it("is 202 where the connection breaks after it was made: it is not taken back", async () => {
		const { api, fleet } = await inFleet();
		fleet.isDown = true;
		const put = await api.send("PUT", `${EDGE}?wait=fleet`, { body: edge("a.example") });
		expect([put.status, put.headers.get("fleet-applied")]).toEqual([202, "1/?"]);
	});

	it.each([
		["ERR_FLEET_UNAVAILABLE", 503, "5"],
		["ERR_FLEET_UNCERTAIN", 504, "5"],
		["ERR_FLEET_READ_ONLY", 403, null],
		["ERR_FLEET_LEVEL", 409, null],
		["ERR_STORE_FULL", 507, null],
		["ERR_BODY_TOO_LARGE", 413, null],
	] as const)("that the fleet refuses with %s says why", async (code, status, retry) => {
		const { api, fleet } = await inFleet();
		fleet.refusesWith = new FleetError(code, "This machine is cut off. Nothing was changed.");
		const put = await api.send("PUT", `${EDGE}?wait=fleet`, { body: edge("a.example") });
		expect(expectError(put, status, code).json.msg).toContain("Nothing was changed");
		expect(put.headers.get("retry-after")).toBe(retry);
		expect(fleet.asked).toEqual([["attend"], ["leave"]]);
	});

	it.each([
		["?wait=all", 'must be "fleet"'],
		["?wait=fleet&wait=fleet", "once only"],
		["?wait=fleet&timeout=5", "such as 5s"],
		["?wait=fleet&timeout=0s", "such as 5s"],
		["?wait=fleet&timeout=61s", "at most 60s"],
		["?timeout=5s", "belongs to wait"],
	])("with %s is refused before anything is done", async (query, words) => {
		const { api, fleet } = await inFleet();
		const put = await api.send("PUT", EDGE + query, { body: edge("a.example") });
		expect(expectError(put, 400, "ERR_INVALID_QUERY").json.msg).toContain(words);
		expect([fleet.origins, fleet.asked]).toEqual([[], []]);
	});

	it("of this machine alone has nobody to wait for", async () => {
		const { api } = await inFleet();
		for (const [method, path] of [
			["DELETE", `${ROUTE}/rate-limits/0/keys/a?wait=fleet`],
			["DELETE", "/fleet/members/m_ams-1?wait=fleet"],
		] as const)
			expect(
				expectError(await api.send(method, path), 400, "ERR_INVALID_QUERY").json.msg,
			).toContain("leave wait out");
	});
});

describe("a request for a revision", () => {
	it("is answered once this machine has it", async () => {
		const { api, fleet } = await inFleet();
		const headers = { "fleet-revision": "8" };
		fleet.revision = 8;
		expect((await api.send("GET", "/edges/https", { headers })).status).toBe(200);
		expect(fleet.asked).toEqual([["reached", 8, 5000]]);
		const later = { headers: { "fleet-revision": "9" }, body: edge("a.example") };
		const put = await api.send("PUT", EDGE, later);
		expect(expectError(put, 503, "ERR_FLEET_UNAVAILABLE").json.msg).toContain(
			"revision 9 of the fleet or later; this machine has 8",
		);
		expect([put.headers.get("retry-after"), fleet.origins]).toEqual(["5", []]);
	});

	it.each(["x", "-1", "1.5", "1e3", "", "9".repeat(16)])('"%s" is none', async (revision) => {
		const { api } = await inFleet();
		const answer = await api.send("GET", EDGE, { headers: { "fleet-revision": revision } });
		expectError(answer, 400, "ERR_BAD_REQUEST");
	});
});

describe("without a fleet", () => {
	it("nothing is said of one, and nothing that needs one is ignored", async () => {
		const api = await startApi();
		const put = await api.send("PUT", EDGE, { body: edge("a.example") });
		expect([put.status, put.headers.get("fleet-revision")]).toEqual([201, null]);
		const waiting = await api.send("PUT", `${EDGE}?wait=fleet`, { body: edge("b.example") });
		expect(expectError(waiting, 400, "ERR_INVALID_QUERY").json.msg).toContain("in no fleet");
		const later = await api.send("GET", EDGE, { headers: { "fleet-revision": "1" } });
		expect(expectError(later, 400, "ERR_BAD_REQUEST").json.msg).toContain(
			"this machine is in none",
		);
		expect((await api.send("GET", EDGE)).json.hostports).toEqual(["a.example"]);
	});
});
