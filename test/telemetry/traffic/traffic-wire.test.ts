/** What the supervisor reads is what a worker would have told in full, however routes and policies come and go. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { routeKey } from "../../../src/telemetry/traffic/route-rows.ts";
import { PhaseCounts } from "../../../src/telemetry/traffic/rule-counts.ts";
import { TrafficReader } from "../../../src/telemetry/traffic/traffic-wire.ts";
import { WorkerTraffic } from "../../../src/telemetry/traffic/worker-traffic.ts";

const rulesOf = (name: string) => ({
	length: 2,
	indexOf: (rule: number) => rule * 3,
	nameOf: (rule: number) => `${name} ${rule}`,
});

/** A worker with routes, each with a policy; `act` has something happen. */
class Counting {
	readonly traffic = new WorkerTraffic();
	readonly #routes = Array.from({ length: 4 }, (_, at) => this.#made(at, 0));
	#versions = 0;

	#made(at: number, version: number) {
		const [edgeId, routeId] = [`e${at % 2}`, `r${at}`];
		const rules = rulesOf(`v${version % 3}`);
		return {
			owner: { edgeId, routeId, row: -1 },
			phase: new PhaseCounts(edgeId, routeId, "inbound", rules, this.traffic.rules),
		};
	}

	act(at: number, act: "request" | "refusal" | "policy" | "remove"): void {
		const { owner, phase } = this.#routes[at] ?? this.#made(at, 0);
		if (act === "request" || act === "refusal") {
			this.traffic.routes.count(owner, 100 * (at + 1), false, 1e6 / 3);
			phase.matched(at % 2);
			if (act === "refusal") phase.refused(at % 2);
			return;
		}
		phase.close();
		this.#versions += 1;
		const made = this.#made(at, this.#versions);
		if (act === "remove") this.traffic.routes.release(owner);
		this.#routes[at] = act === "remove" ? made : { ...made, owner };
	}
}

const step = fc.record({
	route: fc.nat(3),
	act: fc.constantFrom("request", "request", "refusal", "policy", "remove", "tell", "tell few"),
});

it("property: reads what was counted, in the same order, with the same names", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
			const [told, plain] = [new Counting(), new Counting()];
			const reader = new TrafficReader();
			const compare = (most?: number) => {
				const message = JSON.parse(JSON.stringify(told.traffic.tell(most).rows));
				const { routes, rules } = reader.read(message);
				for (const { ids, edge, route } of [...routes, ...rules]) {
					if (ids === undefined) continue;
					expect(ids).toMatchObject({ edge, route, key: routeKey(edge, route) });
					expect(ids.name).toBe(`${edge}/${route}`);
				}
				const without = <T extends object>(list: readonly T[]) =>
					list.map((each) => ({ ...each, ids: undefined }));
				const expected = plain.traffic.take(most);
				expect(without(routes)).toEqual(without(expected.routes));
				expect(without(rules)).toEqual(without(expected.rules));
			};
			for (const { route, act } of steps) {
				if (act === "tell") compare();
				else if (act === "tell few") compare(1);
				else for (const each of [told, plain]) each.act(route, act);
			}
			compare();
		}),
	);
});

it("says names once, and gives the same objects for them each time", () => {
	const worker = new Counting();
	const reader = new TrafficReader();
	const read = () => {
		worker.act(1, "refusal");
		const packed = worker.traffic.tell().rows;
		return { names: [...packed.routeNames, ...packed.ruleNames], traffic: reader.read(packed) };
	};
	const [first, second] = [read(), read()];
	expect(first.names).toEqual([
		["e1", "r1"],
		["e1", "r1", "inbound", 3, "v0 1"],
	]);
	expect(second.names).toEqual([]);
	expect(second.traffic.routes[0]?.ids).toBe(first.traffic.routes[0]?.ids);
	expect(second.traffic.rules[0]?.ids).toBe(first.traffic.rules[0]?.ids);
});
