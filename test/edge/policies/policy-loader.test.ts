/**
 * A table whose policies are opened when asked for answers as one that has them all from the start, over any
 * sequence of changes and requests. Time is counted in steps by a clock of the test's own.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";
import { PolicyLoader } from "../../../src/edge/policies/policy-loader.ts";
import { Backends } from "../../../src/edge/routing/backends.ts";
import { RouteTable } from "../../../src/edge/routing/route-table.ts";
import type { CompiledPolicy, Outcome, PolicyExchange } from "../../../src/policy/exchange.ts";
import type { CompileContext } from "../../../src/policy/rules/compile.ts";
import type { RouteDocument } from "../../../src/store/resources.ts";
import type { Change } from "../../../src/store/store.ts";
import type { Evaluator } from "../../../src/threads/expression-evaluator.ts";
import { deciding } from "../../policy/support.ts";
import { NO_CALL, NO_LOAD } from "../../upstream/idle.ts";
import { NO_EVALUATOR } from "../manual-evaluator.ts";
import { MemoryStore } from "../memory-store.ts";

let nowMs = 0;
beforeEach(() => {
	nowMs = 0;
	vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** Names of documents: how long they take to compile, whether they need threads or can't be compiled. */
const NAMES = ["quick", "other", "slow", "waits", "broken", "brokenslow"] as const;
type Name = (typeof NAMES)[number];

/** Denies everything, with a header that names its document and route; the outcome serves as the name. */
class NamedPolicy implements CompiledPolicy {
	readonly enabled = true;
	readonly inboundEmpty = false;
	readonly outboundEmpty = false;
	readonly #outcome: Outcome;
	readonly close: () => void;

	constructor(name: string, { edgeId, routeId, keeper }: CompileContext, open: Set<NamedPolicy>) {
		const content = `${edgeId}/${routeId}:${name}`;
		this.#outcome = { kind: "respond", statusCode: 200, headers: [], content };
		keeper?.policyOpened();
		open.add(this);
		this.close = () => {
			if (!open.delete(this)) throw new Error(`closed twice: ${content}`);
			keeper?.policyClosed();
		};
	}

	inbound(): Outcome {
		return this.#outcome;
	}
	outbound(): Outcome {
		return this.#outcome;
	}
	resume(): Outcome {
		return this.#outcome;
	}
}

class World {
	readonly store = new MemoryStore();
	readonly open = new Set<NamedPolicy>();
	readonly compiled: string[] = [];
	readonly broken: string[] = [];
	keepers = 0;
	/** resolves when threads are up */
	started: Promise<void> = Promise.resolve();
	readonly #evaluator: Evaluator = {
		...NO_EVALUATOR,
		ready: () => this.started,
		keep: () => {
			this.keepers += 1;
			return () => {
				this.keepers -= 1;
			};
		},
	};
	readonly policies: PolicyLoader;
	readonly table: RouteTable;

	constructor() {
		const { compiled, open, store } = this;
		this.policies = new PolicyLoader({
			reader: store,
			*prepare({ inbound }) {
				const name = inbound[0]?.name ?? "";
				const takes = name.endsWith("slow") ? 20 : 2;
				for (let step = 0; step < takes; step++) {
					nowMs += 1;
					yield;
				}
				if (name.startsWith("broken")) throw new Error(name);
				compiled.push(name);
				return {
					mayWait: name === "waits",
					open: (context) => new NamedPolicy(name, context, open),
				};
			},
			programs: { make: () => Promise.resolve([]) },
			threads: new ExpressionThreads(this.#evaluator),
			context: {
				limiters: { open: () => deciding(() => 0), release() {} },
				expressionErrors: "reject",
			},
			onBroken: (edgeId, routeId) => this.broken.push(`${edgeId}/${routeId}`),
		});
		const noUpstream = {
			...NO_LOAD,
			send: () => ({ ...NO_CALL, resume() {}, abort() {} }),
			close: () => Promise.resolve(),
		};
		const backends = new Backends(() => noUpstream, {
			connectTimeoutMs: 1,
			responseTimeoutMs: 1,
			idleTimeoutMs: 1,
			connections: 1,
			queue: 1,
			onAttemptFailed() {},
			onRetry() {},
		});
		this.table = new RouteTable({ reader: store, backends, policies: this.policies });
	}

	/** What a request comes to: now, or later if it has to wait. */
	request(path: string): Promise<string> {
		const route = this.table.find({ host: "h", port: undefined }, 80, 80, path);
		if (route === undefined) return Promise.resolve("no route");
		const { slot } = route;
		if (slot.state === "none") return Promise.resolve("no policy");
		const run = (): string => {
			const outcome = slot.policy?.inbound({} as PolicyExchange);
			return outcome?.kind === "respond" ? outcome.content : "failed";
		};
		if (slot.state !== "opening") return Promise.resolve(run());
		return new Promise((resolve) => slot.wait(() => resolve(run())));
	}

	async change(changes: readonly Change[], isPrepared: boolean): Promise<void> {
		const ahead = isPrepared
			? await this.policies.prepare([...this.table.policiesOf(changes)], () => {})
			: undefined;
		this.table.apply(changes);
		ahead?.release();
	}
}

const route = (match: string): RouteDocument => ({
	match_type: "exact_path",
	match,
	backend: { urls: ["http://127.0.0.1:9000"] },
});

const IDS = ["a", "b", "c"];
const id = fc.constantFrom(...IDS);
const name = fc.constantFrom(...NAMES);
type Step =
	| { readonly kind: "put" | "put edge" | "delete edge"; readonly id: string; readonly name: Name }
	| { readonly kind: "delete" | "put route" | "delete route" | "request"; readonly id: string };
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant("request"), id }) },
	{ weight: 2, arbitrary: fc.record({ kind: fc.constant("put"), id, name }) },
	fc.record({ kind: fc.constantFrom("put edge", "delete edge"), id, name }),
	fc.record({ kind: fc.constantFrom("delete", "put route", "delete route"), id }),
) as fc.Arbitrary<Step>;

/** The state as it should be: what a request to each path comes to. */
class Model {
	readonly routes = new Set<string>();
	readonly policies = new Map<string, Name>();
	hasEdge = true;

	answer(each: string): string {
		if (!this.hasEdge || !this.routes.has(each)) return "no route";
		const policy = this.policies.get(each);
		if (policy === undefined) return "no policy";
		return policy.startsWith("broken") ? "failed" : `e/${each}:${policy}`;
	}
}

/** Writes to the store, as the API would, and to the model; what is to be announced. */
function write(store: MemoryStore, model: Model, change: Step): Change {
	const { kind, id: routeId } = change;
	const edgeId = "e";
	if (kind === "put edge" || kind === "delete edge") {
		if (kind === "put edge") store.putEdge(edgeId, ["*"]);
		else store.deleteEdge(edgeId);
		model.hasEdge = kind === "put edge";
		if (!model.hasEdge) {
			model.routes.clear();
			model.policies.clear();
		}
		return { kind: "edge", edgeId };
	}
	if (kind === "put" || kind === "delete") {
		if (kind === "put") store.putPolicy(edgeId, routeId, change.name);
		else store.deletePolicy(edgeId, routeId);
		if (kind === "put") model.policies.set(routeId, change.name);
		else model.policies.delete(routeId);
		return { kind: "policy", edgeId, routeId };
	}
	if (kind === "put route" && model.hasEdge) {
		store.putRoute(edgeId, routeId, route(`/${routeId}`));
		model.routes.add(routeId);
	} else {
		store.deleteRoute(edgeId, routeId);
		model.routes.delete(routeId);
		model.policies.delete(routeId);
	}
	return { kind: "route", edgeId, routeId };
}

describe("PolicyLoader", () => {
	it("answers as if all policies were there, each request under the one that it began with", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(name, { maxLength: 3 }),
				fc.array(fc.tuple(step, fc.boolean(), fc.boolean()), { maxLength: 30 }),
				async (stored, steps) => {
					const world = new World();
					const model = new Model();
					write(world.store, model, { kind: "put edge", id: "a", name: "quick" });
					for (const [index, each] of stored.entries()) {
						const own = IDS[index] ?? "";
						write(world.store, model, { kind: "put", id: own, name: each });
						write(world.store, model, { kind: "put route", id: own });
					}
					world.table.load();
					const answers: Promise<string>[] = [];
					const expected: string[] = [];
					for (const [each, isPrepared, pauses] of steps) {
						if (each.kind === "request") {
							expected.push(model.answer(each.id));
							answers.push(world.request(`/${each.id}`));
						} else {
							await world.change([write(world.store, model, each)], isPrepared);
						}
						if (pauses) await new Promise((resolve) => setImmediate(resolve));
					}
					expect(await Promise.all(answers)).toEqual(expected);
					await world.change(
						[write(world.store, model, { kind: "delete edge", id: "a", name: "quick" })],
						false,
					);
					expect([world.open.size, world.keepers]).toEqual([0, 0]);
				},
			),
		);
	});

	it("compiles nothing before the first request, then what it asks for, once for equal documents", async () => {
		const world = new World();
		world.store.putEdge("e", ["*"]);
		for (let index = 0; index < 3000; index++) {
			world.store.putRoute("e", `${index}`, route(`/${index}`));
			world.store.putPolicy("e", `${index}`, index % 2 === 0 ? "quick" : "other");
		}
		world.table.load();
		expect(world.compiled).toEqual([]);
		expect(await world.request("/1000")).toBe("e/1000:quick");
		expect(await world.request("/1002")).toBe("e/1002:quick");
		expect(await world.request("/1003")).toBe("e/1003:other");
		expect(world.compiled).toEqual(["quick", "other"]);
	});

	const loaded = (...names: Name[]): World => {
		const world = new World();
		world.store.putEdge("e", ["*"]);
		names.forEach((each, index) => {
			world.store.putRoute("e", `${index}`, route(`/${index}`)).putPolicy("e", `${index}`, each);
		});
		world.table.load();
		return world;
	};

	it("compiles a change ahead where requests come to the route, and nowhere else", async () => {
		const world = loaded("quick", "quick");
		world.store.putRoute("e", "2", route("/2")).putRoute("e", "3", route("/3"));
		await world.change(
			["2", "3"].map((routeId) => ({ kind: "route", edgeId: "e", routeId })),
			true,
		);
		const put = (routeId: string, policy: Name) => {
			world.store.putPolicy("e", routeId, policy);
			return world.change([{ kind: "policy", edgeId: "e", routeId }], true);
		};
		await world.request("/1");
		// one without a policy that a request has been counted for, as it is once it is over
		const counted = world.table.find({ host: "h", port: undefined }, 80, 80, "/3");
		if (counted !== undefined) counted.row = 7;
		world.compiled.length = 0;
		await put("0", "other");
		await put("2", "other");
		expect(world.compiled).toEqual([]);
		await put("1", "other");
		expect(world.compiled).toEqual(["other"]);
		await put("3", "slow");
		expect(world.compiled).toEqual(["other", "slow"]);
		await put("3", "quick");
		expect(world.compiled).toEqual(["other", "slow", "quick"]);
		const answers = ["/0", "/1", "/2", "/3"].map((path) => world.request(path));
		expect(await Promise.all(answers)).toEqual([
			"e/0:other",
			"e/1:other",
			"e/2:other",
			"e/3:quick",
		]);
	});

	it("holds a request's turn for a slice, however long its policy takes", async () => {
		const world = loaded("slow");
		const answer = world.request("/0");
		expect(nowMs).toBe(4);
		expect(await answer).toBe("e/0:slow");
		expect(nowMs).toBe(20);
	});

	it("compiles a long document once for all routes that have it", async () => {
		const world = loaded("slow", "slow", "slow");
		const answers = ["/0", "/1", "/2"].map((path) => world.request(path));
		expect(nowMs).toBe(4);
		expect(await Promise.all(answers)).toEqual(["e/0:slow", "e/1:slow", "e/2:slow"]);
		expect(world.compiled).toEqual(["slow"]);
	});

	it("opens at once what can be, while something long is on its way", async () => {
		const world = loaded("slow", "quick");
		const ends: string[] = [];
		const slow = world.request("/0").then((answer) => ends.push(answer));
		await world.request("/1").then((answer) => ends.push(answer));
		await slow;
		expect(ends).toEqual(["e/1:quick", "e/0:slow"]);
	});

	it("lets those wait whose policy may need a thread, until one is up", async () => {
		const world = loaded("waits", "quick");
		let start = (): void => {};
		world.started = new Promise((resolve) => {
			start = resolve;
		});
		const ends: string[] = [];
		const waits = world.request("/0").then((answer) => ends.push(answer));
		await world.request("/1").then((answer) => ends.push(answer));
		for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
		expect(ends).toEqual(["e/1:quick"]);
		start();
		await waits;
		expect(ends).toEqual(["e/1:quick", "e/0:waits"]);
	});

	it("says once what is wrong with a policy that can't be compiled, and goes on with others", async () => {
		const world = loaded("brokenslow", "broken", "slow");
		const answers = ["/0", "/1", "/0", "/2"].map((path) => world.request(path));
		expect(await Promise.all(answers)).toEqual(["failed", "failed", "failed", "e/2:slow"]);
		expect(await world.request("/0")).toBe("failed");
		expect(world.broken).toEqual(["e/1", "e/0"]);
	});

	it("answers 500 for a document that can't be read", async () => {
		const world = loaded("quick");
		vi.spyOn(world.store, "policy").mockImplementation(() => {
			throw new Error("damaged");
		});
		expect(await world.request("/0")).toBe("failed");
		expect(world.broken).toEqual(["e/0"]);
	});

	it("compiles what is announced if requests have met the route, else when they do", async () => {
		const world = loaded("quick", "quick");
		await world.request("/0");
		for (const routeId of ["0", "1"]) world.store.putPolicy("e", routeId, "other");
		world.compiled.length = 0;
		await world.change([{ kind: "policy", edgeId: "e", routeId: "1" }], true);
		expect(world.compiled).toEqual([]);
		await world.change([{ kind: "policy", edgeId: "e", routeId: "0" }], true);
		expect(world.compiled).toEqual(["other"]);
		expect(await world.request("/0")).toBe("e/0:other");
		expect(await world.request("/1")).toBe("e/1:other");
	});
});
