import { expect, it, vi } from "vitest";
import type { CountedLimit, CountedLimits } from "../../../src/policy/admission.ts";
import type { PolicyDocument } from "../../../src/policy/document/schema.ts";
import { LimitMetrics } from "../../../src/process/supervisor/limit-metrics.ts";

const limit = (name: string, more: object) => ({
	type: "rate-limit",
	config: { name, capacity: 5, rate: "60s", ...more },
});
const POLICY = {
	enabled: true,
	inbound: [
		{ name: "", expressions: [], actions: [limit("all", {})] },
		{ name: "", expressions: [], actions: [limit("own", { bucket_key: ["conn.client_ip"] })] },
	],
	outbound: [],
} as unknown as PolicyDocument;

const counted: CountedLimit = {
	totals: () => ({ live: 2, admitted: 30, rejected: 4 }),
	decide: () => 0,
	room: { remaining: 3, freesMs: 0 },
	forget: () => false,
};
const counts: CountedLimits = { look: (_identity, at) => at(counted) };
const routes = [
	{ edge: "e", route: "r" },
	{ edge: "", route: "" },
	{ edge: "e", route: "gone" },
];

it("tells what each limit has counted, and the room of one without a key", async () => {
	const policy = vi.fn((_edge: string, route: string) =>
		route === "r" ? { document: POLICY, etag: "1" } : undefined,
	);
	const metrics = new LimitMetrics({ policy });
	const labels = (rule: number, name: string) =>
		`{edge="e",route="r",rule="${rule}",name="${name}"}`;
	const expected = {
		[`weir_rate_limit_admitted_total${labels(0, "all")}`]: 30,
		[`weir_rate_limit_rejected_total${labels(0, "all")}`]: 4,
		[`weir_rate_limit_keys${labels(0, "all")}`]: 2,
		[`weir_rate_limit_room${labels(0, "all")}`]: 3,
		[`weir_rate_limit_admitted_total${labels(1, "own")}`]: 30,
		[`weir_rate_limit_rejected_total${labels(1, "own")}`]: 4,
		[`weir_rate_limit_keys${labels(1, "own")}`]: 2,
	};
	expect(await metrics.metrics(routes, counts)).toEqual(expected);
	expect(await metrics.metrics(routes, counts)).toEqual(expected);
	expect(await metrics.metrics(routes, undefined)).toEqual({});
	const nothing = { look: () => undefined };
	expect(await new LimitMetrics({ policy }).metrics(routes, nothing)).toEqual({});
	// Counters that were there stay.
	const totals = Object.entries(expected).filter(([name]) => name.includes("_total{"));
	expect(await metrics.metrics(routes, nothing)).toEqual(Object.fromEntries(totals));
});

it("hands over what limits have counted that are no more what they were", async () => {
	const changed = (capacity: number) => ({
		document: {
			...POLICY,
			inbound: [{ name: "", expressions: [], actions: [limit("all", { capacity })] }],
		} as unknown as PolicyDocument,
		etag: String(capacity),
	});
	let capacity = 5;
	const store = { policy: () => changed(capacity) };
	const [before, after] = [new LimitMetrics(store), new LimitMetrics(store)];
	const [route] = routes;
	const told = async (metrics: LimitMetrics) => {
		const values = await metrics.metrics(route === undefined ? [] : [route], counts);
		return values['weir_rate_limit_admitted_total{edge="e",route="r",rule="0",name="all"}'];
	};
	expect(await told(before)).toBe(30);
	expect(before.handed).toEqual({});
	capacity = 6;
	expect(await told(before)).toBe(60);
	expect(Object.values(before.handed)).toEqual([30, 4]);
	after.resume(before.handed);
	after.resume({});
	expect(await told(after)).toBe(60);
	expect(after.handed).toEqual(before.handed);
});

it("says nothing of a policy that can't be read", async () => {
	const metrics = new LimitMetrics({
		policy() {
			throw new Error("lost");
		},
	});
	expect(await metrics.metrics(routes, counts)).toEqual({});
});
