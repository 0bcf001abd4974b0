/**
 * Policies of announced changes are compiled in slices, once each, and kept until the change is applied. Time is
 * counted in steps by a clock of the test's own.
 */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PredicateProgram } from "../../../src/cel/program.ts";
import { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";
import { PolicyLoader } from "../../../src/edge/policies/policy-loader.ts";
import type { PolicyDocument } from "../../../src/policy/document/schema.ts";
import type { CompiledPolicy } from "../../../src/policy/exchange.ts";
import type { PreparedPolicy, preparePolicy } from "../../../src/policy/rules/compile.ts";
import type { Stored } from "../../../src/store/store.ts";
import type { ProgramMaker } from "../../../src/threads/program-maker.ts";
import { deciding } from "../../policy/support.ts";
import { ManualEvaluator } from "../manual-evaluator.ts";

/** milliseconds that a slice may take, and its last step on top */
const SLICE_MS = 4;

let nowMs = 0;
beforeEach(() => {
	nowMs = 0;
	vi.spyOn(performance, "now").mockImplementation(() => nowMs);
});
afterEach(() => {
	vi.restoreAllMocks();
});

/** Stands for a document whose rules take so many milliseconds each. */
const stored = (etag: string, costs: readonly number[]): Stored<PolicyDocument> => ({
	etag,
	document: {
		enabled: true,
		inbound: costs.map((cost) => ({ expressions: [], actions: [], cost })),
		outbound: [],
	} as unknown as PolicyDocument,
});

const OWNER = { edgeId: "e", routeId: "r" };
const NO_PROGRAMS: ProgramMaker = { make: () => Promise.resolve([]) };
/** A compiled policy that is known by what it was compiled from. */
const madeOf = (content: unknown) => ({ content, close() {} }) as unknown as CompiledPolicy;
const prepared = (content: unknown, mayWait = false): PreparedPolicy => ({
	mayWait,
	open: ({ keeper }) => {
		keeper?.policyOpened();
		return { ...madeOf(content), close: () => keeper?.policyClosed() };
	},
});

function loaderOf(prepare: typeof preparePolicy, programs = NO_PROGRAMS) {
	const evaluator = new ManualEvaluator();
	const documents = new Map<string, Stored<PolicyDocument>>();
	const loader = new PolicyLoader({
		reader: { policy: (_edgeId, routeId) => documents.get(routeId) },
		prepare,
		programs,
		threads: new ExpressionThreads(evaluator),
		context: {
			limiters: { open: () => deciding(() => 0), release() {} },
			expressionErrors: "reject",
		},
		onBroken() {},
	});
	/** what the policy of this etag was compiled from; undefined if it is not compiled */
	const compiled = (etag: string): unknown => {
		const slot = loader.openCompiled(OWNER, stored(etag, []));
		const policy = slot?.policy as { content?: unknown } | undefined;
		slot?.close();
		return policy?.content;
	};
	return { loader, compiled, documents, evaluator };
}

/** @param started gets the rules of each document that is begun */
const timed = (started: string[]) =>
	loaderOf(function* ({ inbound }) {
		const costs = (inbound as unknown as { cost: number }[]).map(({ cost }) => cost);
		started.push(JSON.stringify(costs));
		for (const cost of costs) {
			if (cost < 0) throw new Error("not valid");
			nowMs += cost;
			yield;
		}
		return prepared(costs);
	});

const costs = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 });

describe("PolicyLoader.prepare", () => {
	it("holds the event loop for a slice and a step at most, whatever the policies", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(costs, { maxLength: 10 }), async (documents) => {
				const { loader, compiled } = timed([]);
				let turnBeganMs = nowMs;
				const held: number[] = [];
				const turn = () => {
					held.push(nowMs - turnBeganMs);
					turnBeganMs = nowMs;
				};
				await loader.prepare(
					documents.map((each, index) => stored(`${index}`, each)),
					turn,
				);
				turn();
				expect(Math.max(...held)).toBeLessThan(SLICE_MS + Math.max(1, ...documents.flat()));
				documents.forEach((each, index) => {
					expect(compiled(`${index}`)).toEqual(each);
				});
			}),
		);
	});

	it("leaves the event loop a turn before it goes on", async () => {
		const events: string[] = [];
		setImmediate(() => events.push("others"));
		await timed([]).loader.prepare([stored("a", [SLICE_MS, 1])], () => events.push("progress"));
		expect(events).toEqual(["others", "progress"]);
	});

	it("keeps the threads for policies that may need them, until the change is applied", async () => {
		const { loader, evaluator } = loaderOf(function* ({ enabled }) {
			yield;
			return prepared("", !enabled);
		});
		await loader.prepare([stored("a", [])], () => {});
		expect(evaluator.keepers).toBe(0);
		const { document } = stored("b", []);
		const mayWait = { etag: "b", document: { ...document, enabled: false } };
		const ahead = await loader.prepare([mayWait], () => {});
		expect(evaluator.keepers).toBe(1);
		ahead.release();
		expect(evaluator.keepers).toBe(0);
	});

	it("compiles what is the same once, and what routes have already not at all", async () => {
		const started: string[] = [];
		const { loader, compiled, documents } = timed(started);
		documents.set("r", stored("c", [1]));
		const inUse = loader.open(OWNER);
		expect([inUse.state, started.splice(0)]).toEqual(["ready", ["[1]"]]);
		const ahead = await loader.prepare(
			["a", "b", "a", "c"].map((etag) => stored(etag, [1])),
			() => {},
		);
		const beside = await loader.prepare([stored("b", [1])], () => {});
		expect(started).toEqual(["[1]", "[1]"]);
		expect(["a", "b", "c"].map(compiled)).toEqual([[1], [1], [1]]);
		ahead.release();
		expect(["a", "b", "c"].map(compiled)).toEqual([undefined, [1], [1]]);
		beside.release();
		expect(["a", "b", "c"].map(compiled)).toEqual([undefined, undefined, [1]]);
		inUse.close();
		expect(compiled("c")).toBeUndefined();
	});

	it("has made elsewhere what a policy asks for, and goes on with it", async () => {
		const wanted = [{ kind: "predicate", source: "long", phase: "inbound" }] as const;
		const made = [{ ...wanted[0], program: {} as PredicateProgram }];
		const asked: unknown[] = [];
		const { loader, compiled } = loaderOf(
			function* () {
				yield;
				const given = yield wanted;
				const next = yield;
				return prepared([given, next]);
			},
			{
				async make(programs, onProgress) {
					asked.push(programs);
					onProgress();
					return made;
				},
			},
		);
		let turns = 0;
		await loader.prepare([stored("a", [])], () => {
			turns += 1;
		});
		expect(asked).toEqual([wanted]);
		expect(compiled("a")).toEqual([made, undefined]);
		expect(turns).toBe(1);
	});

	it("leaves what can't be compiled to the request that asks for it, and has what came before it", async () => {
		const { loader, compiled } = timed([]);
		await loader.prepare([stored("a", [1]), stored("bad", [-1])], () => {});
		expect(compiled("a")).toEqual([1]);
		expect(compiled("bad")).toBeUndefined();
	});
});
