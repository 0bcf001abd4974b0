/** `GET /fleet`: the machines, in pages and by state; a revision that is waited for; a machine that sees no others. */
import { describe, expect, it } from "vitest";
import { fleetSchema } from "../../../src/management/fleet/fleet-answers.ts";
import { status } from "../../fleet/fake-seen.ts";
import { expectError, startApi } from "../api.ts";
import { FakeFleet } from "./fake-fleet.ts";

async function inFleet() {
	const fleet = new FakeFleet();
	return { fleet, api: await startApi({ fleet }) };
}

const seen = (name: string, revision: number, ageMs = 100, state = "in_sync" as const) => ({
	status: status(name, { revision, state, labels: { region: "eu" } }),
	ageMs,
});

describe("GET /fleet", () => {
	it("is null where there is none, and does not wait for what can't come", async () => {
		const api = await startApi();
		const answer = await api.send("GET", "/fleet");
		expect([answer.status, answer.json]).toEqual([200, { fleet: null }]);
		expectError(await api.send("GET", "/fleet?revision=1"), 400, "ERR_INVALID_QUERY");
	});

	it("shows every machine, and how far it is behind", async () => {
		const { api, fleet } = await inFleet();
		fleet.own = { tail: 9 };
		fleet.seen = [seen("zrh-1", 9), seen("ams-2", 8, 40_000), seen("ams-1", 7)];
		const { status: code, json } = await api.send("GET", "/fleet");
		expect([code, fleetSchema.safeParse(json).error]).toEqual([200, undefined]);
		expect(json).toMatchObject({
			...{ fleet: "prod", revision: 7, tail_revision: 9, digest: "d7", level: 1 },
			...{ incarnation: "i1", member: "m_ams-1", state: "in_sync", message: null, spread: null },
			engine: { connected: true, server: "nats-1:4222", version: "2.15.1", why: null },
			counts: { in_sync: 2, cut_off: 1, catching_up: 0, stuck: 0, diverged: 0, starting: 0 },
			next_page_uri: null,
		});
		expect(json.members.map((each: { name: string }) => each.name)).toEqual([
			"ams-1",
			"ams-2",
			"zrh-1",
		]);
		expect(json.members[1]).toMatchObject({
			...{ id: "m_ams-2", state: "cut_off", revision: 8, behind: 1, last_seen_ms: 40_000 },
			...{ version: "1.0.0", role: "manager", labels: { region: "eu" } },
		});
	});

	it("tells what is lost, of this machine and of others", async () => {
		const { api, fleet } = await inFleet();
		fleet.own = { lost: { records: 2, unverified: 1, files: ["fleet-lost-x.jsonl"] } };
		fleet.seen = [{ status: status("ams-2", { lost: 3 }), ageMs: 10 }, seen("zrh-1", 7)];
		const shown = async () => (await api.send("GET", "/fleet")).json;
		expect(await shown()).toMatchObject({
			lost: { records: 2, unverified: 1, files: ["fleet-lost-x.jsonl"] },
			members: [{ lost: 3 }, { lost: 0 }],
		});
		fleet.isDown = true;
		const alone = await shown();
		expect(fleetSchema.safeParse(alone).error).toBeUndefined();
		expect(alone).toMatchObject({ members: [{ id: "m_ams-1", lost: 2 }] });
	});

	it("comes in pages, of one state if asked, and no machine is missed or told twice", async () => {
		const { api, fleet } = await inFleet();
		fleet.seen = Array.from({ length: 25 }, (_, index) => seen(`n-${index % 13}`, 7));
		fleet.seen = fleet.seen.map((each, index) => ({
			...each,
			status: { ...each.status, id: `m_${index}` },
			ageMs: index % 2 === 0 ? 1 : 99_000,
		}));
		const found: string[] = [];
		let next: string | null = "/fleet?limit=5&state=cut_off";
		while (next !== null) {
			const { json } = await api.send("GET", next);
			found.push(...json.members.map((each: { id: string }) => each.id));
			expect(json.members.length).toBeLessThanOrEqual(5);
			expect(json.counts).toMatchObject({ in_sync: 13, cut_off: 12 });
			next = json.next_page_uri;
		}
		const odd = Array.from({ length: 12 }, (_, index) => `m_${2 * index + 1}`);
		expect(found.toSorted()).toEqual(odd.toSorted());
	});

	it("of a machine that is cut off shows itself, and says that it sees no others", async () => {
		const { api, fleet } = await inFleet();
		const since = "2026-11-22T08:01:12Z";
		fleet.isDown = true;
		fleet.own = {
			state: "cut_off",
			connection: { isUp: false, why: "nats-1:4222 refuses the connection.", since },
		};
		const { json } = await api.send("GET", "/fleet");
		expect(json.engine).toMatchObject({ connected: false, server: null });
		expect(json.message).toBe(
			`This machine is cut off from the fleet since ${since}: it goes on serving revision 7, refuses changes, and can't see other machines. nats-1:4222 refuses the connection.`,
		);
		expect(json.members).toMatchObject([
			{ id: "m_ams-1", name: "ams-1", state: "cut_off", revision: 7, version: "9.9.9" },
		]);
		expect(json.counts).toMatchObject({ in_sync: 0, cut_off: 1 });
	});

	it("names the remedy where the engine is there, and the log is not", async () => {
		const { api, fleet } = await inFleet();
		fleet.isDown = true;
		fleet.own = { state: "cut_off", why: "nats-1:4222 holds no stream: weir fleet reseed." };
		expect((await api.send("GET", "/fleet")).json.message).toBe(
			"This machine can't see other machines; it goes on serving revision 7. nats-1:4222 holds no stream: weir fleet reseed.",
		);
	});

	it("says why a machine that is connected is not in sync", async () => {
		const { api, fleet } = await inFleet();
		fleet.own = { state: "stuck", why: "Revision 8 needs level 2." };
		expect((await api.send("GET", "/fleet")).json).toMatchObject({
			...{ state: "stuck", message: "Revision 8 needs level 2." },
		});
	});

	it("waits for a revision without writing", async () => {
		const { api, fleet } = await inFleet();
		const all = await api.send("GET", "/fleet?revision=7&wait=2s");
		expect([all.status, all.json.spread]).toEqual([
			200,
			{ revision: 7, applied: 1000, of: 1000, missing: [] },
		]);
		expect(fleet.asked).toEqual([["attend"], ["spread", 7, 2000], ["leave"]]);
		fleet.missing = ["ams-3"];
		const some = await api.send("GET", "/fleet?revision=7");
		expect([some.status, some.headers.get("fleet-applied")]).toEqual([202, "999/1000"]);
		expect(some.json.spread.missing).toEqual(["ams-3"]);
	});

	it.each([
		"state=well",
		"limit=0",
		"revision=x",
		"wait=5s",
		"revision=1&wait=x",
		"state=a&state=b",
	])("refuses ?%s", async (query) => {
		const { api } = await inFleet();
		expectError(await api.send("GET", `/fleet?${query}`), 400, "ERR_INVALID_QUERY");
	});
});
