import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";
import { PolicyLoader } from "../../../src/edge/policies/policy-loader.ts";
import { NONE } from "../../../src/edge/policies/policy-slot.ts";
import { Backends } from "../../../src/edge/routing/backends.ts";
import { RouteTable } from "../../../src/edge/routing/route-table.ts";
import { parseAuthority } from "../../../src/http/target.ts";
import type { CompiledPolicy, Outcome } from "../../../src/policy/exchange.ts";
import type { CompileContext } from "../../../src/policy/rules/compile.ts";
import { parseHostport } from "../../../src/store/hostport.ts";
import type { RouteDocument } from "../../../src/store/resources.ts";
import type { Change } from "../../../src/store/store.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";
import { deciding } from "../../policy/support.ts";
import { NO_CALL, NO_LOAD } from "../../upstream/idle.ts";
import { NO_EVALUATOR } from "../manual-evaluator.ts";
import { MemoryStore } from "../memory-store.ts";

const noUpstream: Upstream = {
	...NO_LOAD,
	send: () => ({ ...NO_CALL, resume() {}, abort() {} }),
	close: () => Promise.resolve(),
};
const options = {
	connectTimeoutMs: 1,
	responseTimeoutMs: 1,
	idleTimeoutMs: 1,
	connections: 1,
	queue: 1,
	onAttemptFailed() {},
	onRetry() {},
};
const route = (match: string, exact = false, port = 9000): RouteDocument => ({
	match_type: exact ? "exact_path" : "path_prefix",
	match,
	backend: { urls: [`http://127.0.0.1:${port}`] },
});

const noPolicies = {
	open: () => NONE,
	openCompiled(): never {
		throw new Error("no policies here");
	},
};

/** A policy that tells which document it is and of which route. */
class NamedPolicy implements CompiledPolicy {
	readonly enabled = true;
	readonly inboundEmpty = true;
	readonly outboundEmpty = true;
	readonly name: string;

	constructor(name: string, { edgeId, routeId, keeper }: CompileContext) {
		this.name = `${edgeId}/${routeId}:${name}`;
		opened.push(this.name);
		keeper?.policyOpened();
		this.close = () => {
			closed.push(this.name);
			keeper?.policyClosed();
		};
	}

	inbound = (): Outcome => ({ kind: "continue" });
	outbound = this.inbound;
	resume = this.inbound;
	close: () => void;
}

let store: MemoryStore;
let table: RouteTable;
/** names of the documents that were compiled, and of the routes whose policies were opened and closed */
let compiled: string[];
let opened: string[];
let closed: string[];
let broken: string[];
let policies: PolicyLoader;
let upstreams: { urls: readonly string[]; closed: boolean }[];

beforeEach(() => {
	// However slow the machine is: a turn's budget for compiling is never spent here.
	vi.spyOn(performance, "now").mockReturnValue(0);
	store = new MemoryStore();
	compiled = [];
	opened = [];
	closed = [];
	broken = [];
	upstreams = [];
	const backends = new Backends((document) => {
		const entry = { urls: document.urls, closed: false };
		upstreams.push(entry);
		return {
			...noUpstream,
			close: () => {
				entry.closed = true;
				return Promise.resolve();
			},
		};
	}, options);
	policies = new PolicyLoader({
		reader: store,
		*prepare({ inbound }) {
			const name = inbound[0]?.name ?? "";
			if (name === "broken") throw new Error("broken");
			compiled.push(name);
			return { mayWait: false, open: (context) => new NamedPolicy(name, context) };
		},
		programs: { make: () => Promise.resolve([]) },
		threads: new ExpressionThreads(NO_EVALUATOR),
		context: {
			limiters: { open: () => deciding(() => 0), release() {} },
			expressionErrors: "reject",
		},
		onBroken: (edgeId, routeId) => broken.push(`${edgeId}/${routeId}`),
	});
	table = new RouteTable({ reader: store, backends, policies });
});
afterEach(() => {
	vi.restoreAllMocks();
});

const find = (host: string, path: string, schemePort = 80, listenerPort = 8080) => {
	const authority = parseAuthority(host);
	return authority && table.find(authority, schemePort, listenerPort, path);
};
const idAt = (host: string, path = "/") => {
	const found = find(host, path);
	return found && `${found.edgeId}/${found.routeId}`;
};
const apply = (...changes: Change[]) => table.apply(changes);

describe("route choice", () => {
	it("takes the exact host, then the longest wildcard, then any host", () => {
		store.putEdge("any", ["*"]).putRoute("any", "r", route("/"));
		store.putEdge("wide", ["*.example.com"]).putRoute("wide", "r", route("/"));
		store.putEdge("narrow", ["*.a.example.com"]).putRoute("narrow", "r", route("/"));
		store.putEdge("exact", ["b.a.example.com"]).putRoute("exact", "r", route("/"));
		table.load();
		expect(idAt("b.a.example.com")).toBe("exact/r");
		expect(idAt("B.A.Example.com.")).toBe("exact/r");
		expect(idAt("c.a.example.com")).toBe("narrow/r");
		expect(idAt("x.y.a.example.com")).toBe("narrow/r");
		expect(idAt("a.example.com")).toBe("wide/r");
		expect(idAt("example.com")).toBe("any/r");
		expect(idAt("notexample.com")).toBe("any/r");
	});

	it("matches a port given in a hostport, or the scheme's or listener's where the host has none", () => {
		store.putEdge("ported", ["h:8443"]).putRoute("ported", "r", route("/"));
		store.putEdge("plain", ["h"]).putRoute("plain", "r", route("/"));
		store.putEdge("default", ["d:80"]).putRoute("default", "r", route("/"));
		store.putEdge("listener", ["l:8080"]).putRoute("listener", "r", route("/"));
		store.putEdge("anyported", ["*:99"]).putRoute("anyported", "r", route("/"));
		table.load();
		expect(idAt("h:8443")).toBe("ported/r");
		expect(idAt("h:1")).toBe("plain/r");
		expect(idAt("h")).toBe("plain/r");
		expect(idAt("d")).toBe("default/r");
		expect(idAt("d:81")).toBeUndefined();
		expect(idAt("l")).toBe("listener/r");
		expect(idAt("x:99")).toBe("anyported/r");
		expect(idAt("x:98")).toBeUndefined();
	});

	it("takes the exact path before the longest prefix, which is a plain string prefix", () => {
		store.putEdge("e", ["*"]);
		store.putRoute("e", "exact", route("/api/v1", true));
		store.putRoute("e", "long", route("/api/v"));
		store.putRoute("e", "short", route("/api"));
		table.load();
		expect(idAt("h", "/api/v1")).toBe("e/exact");
		expect(idAt("h", "/api/v1/x")).toBe("e/long");
		expect(idAt("h", "/apix")).toBe("e/short");
		expect(idAt("h", "/ap")).toBeUndefined();
	});

	it("says whether a prefix has routes of its edge beneath it, or more of them than it looks through", () => {
		const at = (path: string): boolean => {
			const found = find("h", path);
			return found !== undefined && table.hasNoneBelow(found);
		};
		store.putEdge("e", ["*"]).putRoute("e", "api", route("/api"));
		store.putEdge("other", ["other"]).putRoute("other", "below", route("/api/v1"));
		table.load();
		expect(at("/api/x")).toBe(true);
		const put = (routeId: string, document: RouteDocument): void => {
			store.putRoute("e", routeId, document);
			apply({ kind: "route", edgeId: "e", routeId });
		};
		put("root", route("/"));
		expect([at("/api"), at("/b")]).toEqual([true, false]);
		put("exact", route("/api/x", true));
		expect([at("/api"), at("/api/x")]).toEqual([false, false]);
		put("exact", route("/else", true));
		expect(at("/api")).toBe(true);
		put("long", route("/api/v"));
		expect([at("/api"), at("/api/v")]).toEqual([false, true]);
		for (let n = 0; n < 300; n++) put(`n${n}`, route(`/n/${n}`, true));
		expect(at("/api/v")).toBe(false);
	});

	it("does not fall back to another edge when the host's own edge has no such path", () => {
		store.putEdge("any", ["*"]).putRoute("any", "r", route("/"));
		store.putEdge("h", ["h"]).putRoute("h", "r", route("/only"));
		table.load();
		expect(idAt("h", "/")).toBeUndefined();
	});

	const name = fc.constantFrom("h", "a.h", "b.a.h", "[::1]", "x");
	const port = fc.constantFrom("", ":80", ":8080", ":9");
	const hostport = fc
		.tuple(fc.constantFrom("", "*."), name, port)
		.map(([star, text, suffix]) => (text.startsWith("[") ? "" : star) + text + suffix);
	const path = fc
		.string({ unit: fc.constantFrom(..."/ab"), maxLength: 5 })
		.map((text) => `/${text}`);

	it("agrees with a naive scan, built at once or change by change", () => {
		fc.assert(
			fc.property(
				fc.uniqueArray(fc.oneof(hostport, fc.constantFrom("*", "*:80", "*:9")), { maxLength: 6 }),
				fc.uniqueArray(fc.tuple(fc.nat(5), path, fc.boolean()), {
					maxLength: 12,
					selector: (entry) => `${entry[0]} ${entry[1]}`,
				}),
				fc.array(fc.tuple(name, port, path), { maxLength: 10 }),
				fc.boolean(),
				(hostports, routes, requests, stepwise) => {
					store = new MemoryStore();
					const backends = new Backends(() => noUpstream, options);
					table = new RouteTable({ reader: store, backends, policies: noPolicies });
					if (stepwise) table.load();
					hostports.forEach((text, index) => {
						store.putEdge(`${index}`, [text]);
						if (stepwise) apply({ kind: "edge", edgeId: `${index}` });
					});
					routes.forEach(([edge, match, exact], index) => {
						if (edge >= hostports.length) return;
						store.putRoute(`${edge}`, `${index}`, route(match, exact));
						if (stepwise) apply({ kind: "route", edgeId: `${edge}`, routeId: `${index}` });
					});
					if (!stepwise) table.load();
					for (const [host, suffix, wanted] of requests) {
						expect(idAt(host + suffix, wanted)).toBe(
							naive(hostports, routes, host, suffix, wanted),
						);
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});

/** Contract 6 as a scan: every hostport gets a rank, the best rank wins, then the path. */
function naive(
	hostports: string[],
	routes: [number, string, boolean][],
	host: string,
	suffix: string,
	path: string,
): string | undefined {
	const ports = suffix === "" ? [80, 8080] : [Number(suffix.slice(1))];
	let best: { rank: number[]; edge: number } | undefined;
	hostports.forEach((text, edge) => {
		const parsed = parseHostport(text);
		if (parsed === undefined) return;
		const named = parsed.wildcard
			? parsed.host === "" || host.endsWith(`.${parsed.host}`)
			: parsed.host === host;
		if (!named || (parsed.port !== undefined && !ports.includes(parsed.port))) return;
		const byPort = parsed.port === undefined ? 0 : 2 - ports.indexOf(parsed.port);
		const rank = [parsed.wildcard ? 0 : 1, parsed.host.length, byPort];
		if (best === undefined || rank.join() > best.rank.join()) best = { rank, edge };
	});
	if (best === undefined) return undefined;
	const own = routes.flatMap(([edge, match, exact], index) =>
		edge === best?.edge && edge < hostports.length ? [{ index, match, exact }] : [],
	);
	const exact = own.filter((entry) => entry.exact && entry.match === path);
	const prefix = own
		.filter((entry) => !entry.exact && path.startsWith(entry.match))
		.sort((a, b) => b.match.length - a.match.length);
	const chosen = exact[0] ?? prefix[0];
	return chosen && `${best.edge}/${chosen.index}`;
}

describe("changes", () => {
	it("a policy stored before its route takes effect when the route appears", () => {
		store.putEdge("e", ["*"]).putPolicy("e", "r", "p1");
		table.load();
		apply({ kind: "policy", edgeId: "e", routeId: "r" });
		expect(compiled).toEqual([]);
		store.putRoute("e", "r", route("/"));
		apply({ kind: "route", edgeId: "e", routeId: "r" });
		expect(find("h", "/")?.slot.policy).toMatchObject({ name: "e/r:p1" });
	});

	it("a new policy replaces the old one, which is closed after it; the request in flight keeps its own", () => {
		store.putEdge("e", ["*"]).putRoute("e", "r", route("/")).putPolicy("e", "r", "p1");
		table.load();
		const before = find("h", "/");
		store.putPolicy("e", "r", "p2");
		apply({ kind: "policy", edgeId: "e", routeId: "r" });
		expect(before?.slot.policy).toMatchObject({ name: "e/r:p1" });
		expect(find("h", "/")?.slot.policy).toMatchObject({ name: "e/r:p2" });
		expect(closed).toEqual(["e/r:p1"]);
		store.deletePolicy("e", "r");
		apply({ kind: "policy", edgeId: "e", routeId: "r" });
		expect(find("h", "/")?.slot.policy).toBeUndefined();
		expect(closed).toEqual(["e/r:p1", "e/r:p2"]);
	});

	it("a route or edge put again leaves policies and upstreams as they are", () => {
		store.putEdge("e", ["h"]).putRoute("e", "r", route("/")).putPolicy("e", "r", "p1");
		table.load();
		const { slot, backend } = find("h", "/") ?? {};
		store.putEdge("e", ["h", "other"]).putRoute("e", "r", route("/new"));
		apply({ kind: "edge", edgeId: "e" }, { kind: "route", edgeId: "e", routeId: "r" });
		expect(find("other", "/new")).toMatchObject({ routeId: "r" });
		expect(find("other", "/new")?.slot).toBe(slot);
		expect(find("other", "/new")?.backend).toBe(backend);
		expect(find("h", "/")).toBeUndefined();
		expect({ opened, closed, upstreams: upstreams.length }).toEqual({
			opened: ["e/r:p1"],
			closed: [],
			upstreams: 1,
		});
	});

	it("routes share the upstream of equal backends; it is closed with the last of them", () => {
		store.putEdge("e", ["*"]).putRoute("e", "a", route("/a")).putRoute("e", "b", route("/b"));
		table.load();
		expect(find("h", "/a")?.backend).toBe(find("h", "/b")?.backend);
		store.putRoute("e", "a", route("/a", false, 9001));
		apply({ kind: "route", edgeId: "e", routeId: "a" });
		expect(upstreams.map(({ closed }) => closed)).toEqual([false, false]);
		store.deleteRoute("e", "b");
		apply({ kind: "route", edgeId: "e", routeId: "b" });
		expect(upstreams.map(({ closed }) => closed)).toEqual([true, false]);
	});

	it("deleting an edge takes its routes along and closes their policies", () => {
		store.putEdge("e", ["*"]).putRoute("e", "r", route("/")).putPolicy("e", "r", "p1");
		table.load();
		find("h", "/");
		store.deleteEdge("e");
		apply({ kind: "edge", edgeId: "e" });
		expect(find("h", "/")).toBeUndefined();
		expect({ closed, upstream: upstreams[0]?.closed }).toEqual({
			closed: ["e/r:p1"],
			upstream: true,
		});
	});

	it("a route or edge deleted and put again before the change is announced has no policy", () => {
		store.putEdge("e", ["*"]).putRoute("e", "r", route("/")).putRoute("e", "s", route("/s"));
		store.putPolicy("e", "r", "p1").putPolicy("e", "s", "q1");
		table.load();
		find("h", "/");
		find("h", "/s");
		store.deleteRoute("e", "r").putRoute("e", "r", route("/"));
		apply(
			{ kind: "route", edgeId: "e", routeId: "r" },
			{ kind: "policy", edgeId: "e", routeId: "r" },
		);
		expect(find("h", "/")?.slot.policy).toBeUndefined();
		expect(find("h", "/s")?.slot.policy).toMatchObject({ name: "e/s:q1" });
		store.deleteEdge("e").putEdge("e", ["*"]).putRoute("e", "s", route("/s"));
		apply({ kind: "edge", edgeId: "e" }, { kind: "policies", edgeId: "e" });
		expect(find("h", "/s")).toMatchObject({ routeId: "s", slot: NONE });
		expect(closed).toEqual(["e/r:p1", "e/s:q1"]);
	});

	it("a hostport and a match may move within one batch of changes, in either order", () => {
		store.putEdge("a", ["h"]).putRoute("a", "r", route("/x")).putEdge("b", ["i"]);
		store.putRoute("b", "r", route("/x"));
		table.load();
		store.putEdge("a", ["i"]).putEdge("b", ["h"]);
		apply({ kind: "edge", edgeId: "b" }, { kind: "edge", edgeId: "a" });
		expect([idAt("h", "/x"), idAt("i", "/x")]).toEqual(["b/r", "a/r"]);
		store.putRoute("a", "r", route("/y")).putRoute("a", "s", route("/x"));
		apply(
			{ kind: "route", edgeId: "a", routeId: "s" },
			{ kind: "route", edgeId: "a", routeId: "r" },
		);
		expect([idAt("i", "/x"), idAt("i", "/y")]).toEqual(["a/s", "a/r"]);
	});

	it("a policy that can't be compiled fails its own route closed and no other", () => {
		store.putEdge("e", ["*"]).putRoute("e", "r", route("/r")).putRoute("e", "s", route("/s"));
		store.putPolicy("e", "r", "broken").putPolicy("e", "s", "fine");
		table.load();
		const failed = find("h", "/r")?.slot;
		expect([failed?.state, failed?.policy]).toEqual(["failed", undefined]);
		expect(find("h", "/s")?.slot.policy).toMatchObject({ name: "e/s:fine" });
	});
});
