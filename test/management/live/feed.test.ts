/** The feed: history first, then each second what there is, to everybody who reads; those who don't are given up. */
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import type { EventStream } from "../../../src/management/http/event-stream.ts";
import { Feed } from "../../../src/management/live/feed.ts";
import type { LiveEvents } from "../../../src/management/live/shapes.ts";
import { FakeSource, reportedOf, reportOf, trafficOf } from "./source.ts";

class Watcher {
	readonly events: { name: string; data: unknown }[] = [];
	isOver = false;
	full = 0;
	reason: ReturnType<EventStream["reasonToEnd"]>;
	send(event: Uint8Array): boolean {
		const [, name = "", data = ""] =
			/^event: (\w+)\ndata: (.*)\n\n$/.exec(new TextDecoder().decode(event)) ?? [];
		this.events.push({ name, data: JSON.parse(data) });
		return true;
	}
	end(event: Uint8Array): void {
		this.send(event);
		this.isOver = true;
	}
	giveUp = vi.fn(() => {
		this.isOver = true;
	});
	fullMs = () => this.full;
	reasonToEnd = () => this.reason;
	get names(): string[] {
		return this.events.map(({ name }) => name);
	}
	last<Name extends keyof LiveEvents>(name: Name): LiveEvents[Name] {
		return this.events.findLast((event) => event.name === name)?.data as LiveEvents[Name];
	}
}

function start() {
	const source = new FakeSource();
	const counts = vi.fn(() => ({ edges: 1, routes: 2, policies: 3 }));
	const feed = new Feed(source, { counts, refresh: () => {} }, "9.9");
	const join = () => {
		const watcher = new Watcher();
		feed.join(watcher as unknown as EventStream);
		return watcher;
	};
	return { source, feed, join, counts };
}

describe("the feed", () => {
	it("tells what was, then what is", async () => {
		const { source, feed, join, counts } = start();
		source.reported = [reportedOf({ report: reportOf({ refusals: 4 }) })];
		await feed.tick();
		const watcher = join();
		expect(watcher.names).toEqual(["history"]);
		expect(watcher.last("history")).toMatchObject({
			...{ version: "9.9", points: [{ refusals_per_second: 4 }] },
		});
		const routes = [{ edge: "e", route: "r", counts: [0, 0, 6], seconds: 0 }];
		source.reported = [
			reportedOf({
				...{ elapsedMs: 2000, traffic: [trafficOf({ routes })] },
				report: reportOf({ inFlight: 5, cpu: 0.12345, rssBytes: 77 }),
			}),
		];
		await feed.tick();
		expect(watcher.names).toEqual(["history", "overview"]);
		expect(watcher.last("overview")).toMatchObject({
			...{ requests_per_second: 3, in_flight: 5, problems: [], upstreams: [] },
			store: { revision: 0, edges: 1, routes: 2, policies: 3 },
			workers: [
				{
					...{ id: 0, pid: 100, state: "serving", cpu: 0.123, rss_bytes: 77 },
					requests_per_second: 3,
				},
			],
		});
		await feed.tick();
		expect(counts).toHaveBeenCalledTimes(1);
		feed.close();
	});

	it("tells of a worker that is gone, and of what is wrong", async () => {
		const { source, feed, join } = start();
		const watcher = join();
		source.seen = [];
		source.wrong = [{ id: "store-lost", severity: "critical", sentence: "Lost." }];
		await feed.tick();
		const { workers, problems } = watcher.last("overview");
		expect(workers).toMatchObject([{ id: 0, pid: null, state: "missing", cpu: null }]);
		expect(problems.map(({ id }) => id)).toEqual(["no-worker", "store-lost", "worker-0-missing"]);
		feed.close();
	});

	it("tells of changes at once", () => {
		const { source, feed, join } = start();
		const watcher = join();
		source.revision = 3;
		const policy = { kind: "policy", edgeId: "e", routeId: "r" } as const;
		feed.changed([policy, { kind: "edge", edgeId: "e" }, { kind: "ip_list", listId: "l" }]);
		expect(watcher.last("changes")).toMatchObject({
			...{ revision: 3, left_out: 0 },
			changes: [
				{ kind: "policy", edge_id: "e", route_id: "r" },
				{ kind: "edge", edge_id: "e" },
				{ kind: "ip_list", list_id: "l" },
			],
		});
		feed.changed(Array(LIMITS.liveChanges + 2).fill(policy));
		expect(watcher.last("changes").left_out).toBe(2);
		feed.close();
	});

	it("gives those up who don't read, and ends those who may not", async () => {
		const { feed, join } = start();
		const [slow, expired, good] = [join(), join(), join()];
		slow.full = LIMITS.liveSlowMs + 1;
		expired.reason = "key";
		await feed.tick();
		expect(slow.giveUp).toHaveBeenCalledTimes(1);
		expect(expired.last("end")).toEqual({ reason: "key" });
		expect(good.names).toEqual(["history", "overview"]);
		await feed.tick();
		expect([slow.names, expired.names]).toEqual([["history"], ["history", "end"]]);
		feed.close();
		expect(good.last("end")).toEqual({ reason: "stopping" });
	});

	it("asks workers again only when they have answered", async () => {
		const { source, feed } = start();
		let answer = () => {};
		const collect = vi.spyOn(source, "collect").mockImplementation(
			() =>
				new Promise((resolve) => {
					answer = () => resolve([]);
				}),
		);
		const first = feed.tick();
		await feed.tick();
		expect(collect).toHaveBeenCalledTimes(1);
		answer();
		await first;
		feed.close();
	});
});
