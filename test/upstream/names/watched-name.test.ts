/** One name: when it is looked up, and what those who watch it hear. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { Listener, resolving } from "./support.ts";

function watching() {
	const parts = resolving();
	const listener = new Listener();
	const unwatch = parts.resolver.watch("a", listener);
	return { ...parts, unwatch, listener, heard: listener.heard };
}

describe("when a name is looked up", () => {
	it("at once, and again when its time to live is over", () => {
		const { lookups, timers } = watching();
		lookups.known = [{ address: "1.1.1.1", ttlSeconds: 7 }];
		for (let round = 0; round < 3; round += 1) {
			lookups.found("a", "1.1.1.1");
			timers.advance(6999);
			expect(lookups.names).toEqual([]);
			timers.advance(1);
			expect(lookups.names).toEqual(["a"]);
		}
	});

	it("DNS is asked for the time to live after the addresses are told", () => {
		const { lookups, timers, heard } = watching();
		lookups.known = undefined;
		lookups.found("a", "1.1.1.1");
		expect(heard).toEqual([["1.1.1.1"]]);
		expect([lookups.questions.length, timers.pending]).toEqual([1, 0]);
		lookups.questions[0]?.answer([]);
		expect(timers.delays).toEqual([LIMITS.nameRefreshDefaultMs]);
	});

	it("after a failure with growing delay, as long as they follow each other", () => {
		const { lookups, timers } = watching();
		const delays: number[] = [];
		for (let round = 0; round < 8; round += 1) {
			lookups.failed("a");
			delays.push(...timers.delays);
			timers.advance(LIMITS.nameRetryMaxMs);
		}
		expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
		lookups.found("a", "1.1.1.1");
		timers.advance(LIMITS.nameRefreshDefaultMs);
		lookups.failed("a");
		expect(timers.delays).toEqual([LIMITS.nameRetryMs]);
	});

	it("not while a lookup is under way, however long it takes", () => {
		const { lookups, timers } = watching();
		timers.advance(10 * LIMITS.nameRefreshMaxMs);
		expect(lookups.names).toEqual(["a"]);
	});
});

describe("what a watcher hears", () => {
	it("each change once, order being none; those that stay keep their place", () => {
		const { lookups, timers, heard } = watching();
		const round = (...addresses: string[]): void => {
			lookups.found("a", ...addresses);
			timers.advance(LIMITS.nameRefreshDefaultMs);
		};
		round("1", "2", "3");
		round("3", "1", "2", "2");
		round("4", "3", "1");
		round("4");
		round("4", "1");
		expect(heard).toEqual([["1", "2", "3"], ["1", "3", "4"], ["4"], ["4", "1"]]);
	});

	it("failures only while there are no addresses; the log hears all of them", () => {
		const { lookups, timers, heard, log } = watching();
		lookups.failed("a", "first");
		timers.advance(1000);
		lookups.found("a");
		timers.advance(2000);
		lookups.found("a", "1");
		timers.advance(LIMITS.nameRefreshDefaultMs);
		lookups.failed("a", "last");
		expect(heard).toEqual(["first", "a has no address", ["1"]]);
		expect(log).toEqual(["a: first", "a: a has no address", "a: last"]);
	});

	it("that the first lookup takes long, then how it went", () => {
		const { lookups, timers, heard } = watching();
		timers.advance(LIMITS.nameFirstLookMs - 1);
		expect(heard).toEqual([]);
		timers.advance(1);
		expect(heard).toEqual(["looking up a takes long"]);
		lookups.found("a", "1");
		timers.advance(LIMITS.nameRefreshDefaultMs + LIMITS.nameFirstLookMs);
		expect(heard).toEqual(["looking up a takes long", ["1"]]);
	});

	it("never more addresses than allowed", () => {
		const { lookups, timers, listener } = watching();
		const many = (from: number) => Array.from({ length: 400 }, (_, at) => `${from + at}`);
		lookups.found("a", ...many(0));
		expect(listener.heard).toEqual([many(0).slice(0, LIMITS.addressesPerName)]);
		timers.advance(LIMITS.nameRefreshDefaultMs);
		lookups.found("a", ...many(200));
		const second = listener.heard[1] ?? [];
		expect(second.length).toBe(LIMITS.addressesPerName);
		expect(second.slice(0, 56)).toEqual(many(200).slice(0, 56));
	});

	it("the set that was found last, whatever happens, and in no other order than before", () => {
		const result = fc.oneof(
			fc.constant(undefined),
			fc.array(fc.constantFrom("1", "2", "3", "4"), { maxLength: 5 }),
		);
		fc.assert(
			fc.property(fc.array(result, { maxLength: 20 }), (results) => {
				const { lookups, timers, heard } = watching();
				let last: readonly string[] = [];
				for (const each of results) {
					if (each === undefined) lookups.failed("a");
					else lookups.found("a", ...each);
					if (each !== undefined && each.length > 0) last = each;
					const lists = heard.filter((one) => typeof one !== "string");
					expect(new Set(lists.at(-1))).toEqual(new Set(last));
					timers.advance(LIMITS.nameRefreshMaxMs);
				}
				const lists = heard.filter((one) => typeof one !== "string");
				for (const [at, list] of lists.entries()) {
					expect(new Set(list).size).toBe(list.length);
					const before = lists[at - 1] ?? [];
					expect(new Set(list)).not.toEqual(new Set(before));
					const stayed = before.filter((address) => list.includes(address));
					expect(list.slice(0, stayed.length)).toEqual(stayed);
				}
			}),
		);
	});
});
