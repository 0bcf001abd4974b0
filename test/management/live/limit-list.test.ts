/** The hottest limits: what is rejected now comes first; rates are differences between two looks. */
import { expect, it } from "vitest";
import { LimitList } from "../../../src/management/live/limit-list.ts";
import type { CountedLimits } from "../../../src/policy/admission.ts";

const policy = (edgeId: string, routeId: string) =>
	({
		etag: `${edgeId}/${routeId}`,
		document: {
			enabled: true,
			inbound: [
				{
					...{ name: "rule", expressions: [] },
					actions: [
						{ type: "deny", config: {} },
						{
							type: "rate-limit",
							config: { capacity: 5, rate: "60s", bucket_key: ["conn.client_ip"] },
						},
					],
				},
			],
			outbound: [],
		},
	}) as never;

it("tells the hottest first", async () => {
	const totals = { admitted: 10, rejected: 0, live: 3 };
	const counts = {
		look: ({ routeId }: { routeId: string }, at: (limit: unknown) => unknown) =>
			routeId === "never" ? undefined : at({ totals: () => ({ ...totals }) }),
	} as unknown as CountedLimits;
	const list = new LimitList({ policy: (e, r) => (r === "none" ? undefined : policy(e, r)) });
	const names = ["e/never", "e/hot", "e/none"];
	const first = await list.hottest(names, counts, 10_000);
	expect(first.limits).toMatchObject([
		{
			route_id: "hot",
			action: 1,
			admitted: 10,
			admitted_per_second: 0,
			live_keys: 3,
			remaining: null,
		},
		{ route_id: "never", admitted: 0, remaining: null },
	]);
	totals.admitted = 30;
	totals.rejected = 4;
	const soon = await list.hottest(names, counts, 10_100);
	expect(soon.limits[0]).toMatchObject({ admitted: 30, admitted_per_second: 0 });
	const later = await list.hottest(names, counts, 12_000);
	expect(later.limits[0]).toMatchObject({ admitted_per_second: 10, rejected_per_second: 2 });
	const again = await list.hottest(names, counts, 12_100);
	expect(again.limits[0]).toMatchObject({ admitted_per_second: 10, rejected_per_second: 2 });
});
