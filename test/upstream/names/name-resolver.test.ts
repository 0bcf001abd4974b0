/** Names shared by many: one lookup for all, none for nobody; and the real thing for `localhost`. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { NameResolver, systemTimers } from "../../../src/upstream/names/name-resolver.ts";
import { until } from "../probe.ts";
import { Listener, resolving } from "./support.ts";

it("tells a later watcher what is known, before watch returns", () => {
	const { resolver, lookups } = resolving();
	const [first, second, third] = [new Listener(), new Listener(), new Listener()];
	resolver.watch("a", first);
	lookups.failed("a", "gone");
	resolver.watch("a", second);
	expect(second.heard).toEqual(["gone"]);
	const { resolver: other, lookups: sound } = resolving();
	other.watch("a", first);
	sound.found("a", "1", "2");
	other.watch("a", third);
	expect(third.heard).toEqual([["1", "2"]]);
});

it("a watcher may end its watch and begin others while it hears", () => {
	const { resolver, lookups } = resolving();
	const late = new Listener();
	const silenced = new Listener();
	let endSilenced = (): void => {};
	const end = resolver.watch("a", {
		onAddresses() {
			end();
			endSilenced();
			resolver.watch("a", late);
		},
		onFailed() {},
	});
	endSilenced = resolver.watch("a", silenced);
	lookups.found("a", "1");
	expect(silenced.heard).toEqual([]);
	expect(late.heard.at(-1)).toEqual(["1"]);
});

it("ending a watch twice ends no other", () => {
	const { resolver, lookups } = resolving();
	const end = resolver.watch("a", new Listener());
	lookups.found("a", "1");
	end();
	const listener = new Listener();
	resolver.watch("a", listener);
	end();
	lookups.found("a", "2");
	expect(listener.heard).toEqual([["2"]]);
	expect(resolver.size).toBe(1);
});

it("a name that is watched anew while its last lookup is under way waits for that one", () => {
	const { resolver, lookups } = resolving();
	for (let round = 0; round < 5; round += 1) resolver.watch("a", new Listener())();
	const listener = new Listener();
	resolver.watch("a", listener);
	expect(lookups.names).toEqual(["a"]);
	lookups.found("a", "1");
	expect(listener.heard).toEqual([["1"]]);
});

it("so it is with a later lookup", () => {
	const { resolver, lookups, timers } = resolving();
	const end = resolver.watch("a", new Listener());
	lookups.found("a", "1");
	timers.advance(LIMITS.nameRefreshDefaultMs);
	end();
	const listener = new Listener();
	resolver.watch("a", listener);
	expect([lookups.names, listener.heard]).toEqual([["a"], [["1"]]]);
});

it("a name that nobody watches any more when its turn comes is not looked up", () => {
	const { resolver, lookups, timers } = resolving();
	const ends = ["a", "b", "c"].map((name) => resolver.watch(name, new Listener()));
	for (const end of ends) end();
	expect([lookups.names, resolver.size]).toEqual([["a", "b"], 3]);
	lookups.found("a", "1");
	lookups.failed("b");
	expect([lookups.names, resolver.size, timers.pending]).toEqual([[], 0, 0]);
});

it("never looks one name up twice at once, tells all the same, and leaves nothing behind", () => {
	const name = fc.constantFrom("a", "b", "c", "d");
	const command = fc.oneof(
		fc.record({ kind: fc.constant("watch" as const), name }),
		fc.record({ kind: fc.constant("end" as const), at: fc.nat(10) }),
		fc.record({ kind: fc.constant("found" as const), at: fc.nat(3), set: fc.nat(6) }),
		fc.record({ kind: fc.constant("failed" as const), at: fc.nat(3) }),
		fc.record({ kind: fc.constant("advance" as const), ms: fc.nat(40_000) }),
	);
	fc.assert(
		fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
			const { resolver, lookups, timers } = resolving();
			const watches: { name: string; listener: Listener; end: () => void }[] = [];
			const answer = (at: number, addresses: readonly string[]): void => {
				const asked = lookups.names[at % Math.max(lookups.names.length, 1)];
				if (asked === undefined) return;
				if (addresses.length === 0) lookups.failed(asked);
				else lookups.found(asked, ...addresses);
			};
			for (const each of commands) {
				if (each.kind === "watch") {
					const listener = new Listener();
					const end = resolver.watch(each.name, listener);
					watches.push({ name: each.name, listener, end });
				} else if (each.kind === "end") {
					const [watch] = watches.splice(each.at % Math.max(watches.length, 1), 1);
					watch?.end();
				} else if (each.kind === "advance") timers.advance(each.ms);
				else answer(each.at, each.kind === "failed" ? [] : ["1", "2", "3"].slice(each.set % 3));
				expect(new Set(lookups.names).size).toBe(lookups.names.length);
				expect(lookups.names.length).toBeLessThanOrEqual(LIMITS.nameLooks);
				for (const one of watches) {
					const same = watches.filter((other) => other.name === one.name);
					for (const other of same) {
						expect(other.listener.heard.at(-1)).toEqual(one.listener.heard.at(-1));
					}
				}
			}
			const wanted = new Set(watches.map((watch) => watch.name));
			expect(resolver.size).toBeGreaterThanOrEqual(wanted.size);
			for (const { end } of watches) end();
			while (lookups.names.length > 0) answer(0, []);
			expect([resolver.size, timers.pending]).toEqual([0, 0]);
		}),
	);
});

it("dead names don't keep a new one waiting", () => {
	const { resolver, lookups, timers } = resolving();
	for (let dead = 0; dead < 50; dead += 1) resolver.watch(`dead${dead}`, new Listener());
	while (lookups.names.length > 0) lookups.failed(lookups.names[0] ?? "");
	timers.advance(LIMITS.nameRetryMs);
	expect(lookups.names).toEqual(["dead0"]);
	resolver.watch("new", new Listener());
	expect(lookups.names).toEqual(["dead0", "new"]);
});

it("finds localhost by the system's own means", async () => {
	const log: string[] = [];
	const resolver = new NameResolver({
		onLookupFailed: (name, message) => log.push(`${name}: ${message}`),
	});
	const listener = new Listener();
	const end = resolver.watch("localhost", listener);
	expect(listener.heard).toEqual([]);
	await until(() => listener.heard.length > 0, "localhost has addresses");
	expect([...(listener.heard[0] ?? [])].every((ip) => ["127.0.0.1", "::1"].includes(ip))).toBe(
		true,
	);
	end();
	expect([resolver.size, log]).toEqual([0, []]);
});

it("real timers fire once, and not when taken back", async () => {
	const fired: string[] = [];
	systemTimers.after(0, () => fired.push("taken back"))();
	const takeBack = systemTimers.after(0, () => fired.push("fired"));
	await until(() => fired.length > 0, "a timer fires");
	takeBack();
	expect(fired).toEqual(["fired"]);
});
