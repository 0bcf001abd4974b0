/** Which of several hostports gets a host (contract 6): by example, and against a scan over all of them. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { FOUND_KEPT, HostTable } from "../../../src/edge/routing/host-table.ts";
import { type Authority, parseAuthority } from "../../../src/http/target.ts";
import { canonicalHostport, type Hostport, parseHostport } from "../../../src/store/hostport.ts";

const hostport = (text: string) => {
	const parsed = parseHostport(text);
	if (parsed === undefined) throw new Error(`no hostport: ${text}`);
	return parsed;
};
const tableOf = (...texts: readonly string[]): HostTable<string> => {
	const table = new HostTable<string>();
	for (const text of texts) table.set(hostport(text), text);
	return table;
};
/** On a listener at 8443 of scheme https. */
const find = (table: HostTable<string>, host: string): string | undefined => {
	const authority = parseAuthority(host);
	if (authority === undefined) throw new Error(`no host: ${host}`);
	return table.find(authority, 443, 8443);
};

it("prefers exact names, then the longest wildcard, then any host", () => {
	const table = tableOf("a.b.example", "*.b.example", "*.example", "*");
	expect(find(table, "a.b.example")).toBe("a.b.example");
	expect(find(table, "x.a.b.example")).toBe("*.b.example");
	expect(find(table, "b.example")).toBe("*.example");
	expect(find(table, "example")).toBe("*");
});

it("takes a port where the hostport has one: the host's, else the scheme's or the listener's", () => {
	const table = tableOf("a.example:443", "b.example:8443", "c.example:9", "c.example");
	expect(find(table, "a.example")).toBe("a.example:443");
	expect(find(table, "a.example:443")).toBe("a.example:443");
	expect(find(table, "a.example:8443")).toBeUndefined();
	expect(find(table, "b.example")).toBe("b.example:8443");
	expect(find(table, "c.example:9")).toBe("c.example:9");
	expect(find(table, "c.example:10")).toBe("c.example");
});

it("takes a trailing dot for none", () => {
	expect(find(tableOf("a.example"), "a.example.")).toBe("a.example");
});

it("lets go of a hostport only for the one that has it", () => {
	const table = tableOf("a.example");
	table.set(hostport("a.example"), "new owner");
	table.delete(hostport("a.example"), "a.example");
	expect(find(table, "a.example")).toBe("new owner");
	table.delete(hostport("a.example"), "new owner");
	expect(find(table, "a.example")).toBeUndefined();
});

const port = fc.option(fc.constantFrom(443, 8443, 9), { nil: undefined });
const name = fc.constantFrom("h", "a.h", "b.a.h", "[::1]", "x");
const anyHostport: fc.Arbitrary<Hostport> = fc.oneof(
	fc.record({ host: name, port, wildcard: fc.constant(false) }),
	fc.record({ host: fc.constantFrom("", "h", "a.h", "b.a.h"), port, wildcard: fc.constant(true) }),
);
/** Names below others and `*` among them: `parseAuthority` lets them through, but no empty label. */
const anyAuthority: fc.Arbitrary<Authority> = fc.record({
	host: fc.oneof(
		name,
		fc.tuple(fc.constantFrom("c.", "c.c.", "*.", "*"), name).map((parts) => parts.join("")),
		fc.constantFrom("*", "*.*", "c"),
	),
	port,
});
const command = fc.record({ kind: fc.constantFrom("set", "set", "delete"), hostport: anyHostport });

/** Every hostport that fits gets a rank: exact before wildcard, then longer names, then ports. */
function scan(owned: Iterable<Hostport>, { host, port }: Authority): Hostport | undefined {
	const ports = port === undefined ? [443, 8443] : [port];
	const ranked = [...owned].flatMap((hostport) => {
		const below = host.length > hostport.host.length + 1 && host.endsWith(`.${hostport.host}`);
		const named = hostport.wildcard ? hostport.host === "" || below : hostport.host === host;
		const place = hostport.port === undefined ? ports.length : ports.indexOf(hostport.port);
		if (!named || place === -1) return [];
		return [{ hostport, rank: (hostport.wildcard ? 0 : 1000) + hostport.host.length * 10 - place }];
	});
	return ranked.sort((a, b) => b.rank - a.rank)[0]?.hostport;
}

/** A table and what it should have, to be asked again and again with the same objects. */
class Checked {
	readonly #table = new HostTable<string>();
	readonly #model = new Map<string, Hostport>();

	change({ kind, hostport }: { readonly kind: string; readonly hostport: Hostport }): void {
		const key = canonicalHostport(hostport);
		if (kind === "set") {
			this.#table.set(hostport, key);
			this.#model.set(key, hostport);
		} else {
			this.#table.delete(hostport, key);
			this.#model.delete(key);
		}
	}

	ask(asked: Authority): void {
		const expected = scan(this.#model.values(), asked);
		expect(this.#table.find(asked, 443, 8443)).toBe(expected && canonicalHostport(expected));
	}
}

it("agrees with a scan after any sets and deletes, whatever the client sends as host", () => {
	const side = fc.boolean();
	const step = fc.oneof(fc.record({ side, command }), fc.record({ side, asked: fc.nat() }));
	fc.assert(
		fc.property(
			fc.array(anyAuthority, { minLength: 1, maxLength: 15 }),
			fc.array(step, { maxLength: 30 }),
			(authorities, steps) => {
				const tables = [new Checked(), new Checked()];
				for (const each of steps) {
					const table = tables[Number(each.side)];
					if ("command" in each) table?.change(each.command);
					else table?.ask(authorities[each.asked % authorities.length] as Authority);
				}
				for (const asked of authorities) for (const table of tables) table.ask(asked);
			},
		),
		{ numRuns: 1000 },
	);
});

it("remembers no more hosts than it may, and finds those that it has forgotten", () => {
	const table = tableOf("*.example");
	const hosts = Array.from({ length: FOUND_KEPT + 10 }, (_, each) => {
		const authority: Authority = { host: `h${each}.example`, port: undefined };
		expect(table.find(authority, 443, 8443)).toBe("*.example");
		return authority;
	});
	expect(hosts.filter(({ found }) => found !== undefined)).toHaveLength(FOUND_KEPT);
	for (const each of hosts) expect(table.find(each, 443, 8443)).toBe("*.example");
	table.set(hostport("h1.example"), "own");
	expect(hosts.every(({ found }) => found === undefined)).toBe(true);
	expect(table.find(hosts[1] as Authority, 443, 8443)).toBe("own");
});
