/** Policies are made ready in slices, once each; time is counted in steps by a clock of the test's own. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PredicateProgram } from "../../../src/cel/program.ts";
import { ExpressionThreads } from "../../../src/edge/policies/expression-threads.ts";
import { PreparedPolicies } from "../../../src/edge/policies/prepared-policies.ts";
import { SharedPolicies } from "../../../src/edge/policies/shared-policies.ts";
import type { PreparedPolicy } from "../../../src/policy/compile.ts";
import type { PolicyDocument } from "../../../src/policy/schema.ts";
import type { Stored } from "../../../src/store/store.ts";
import type { ProgramMaker } from "../../../src/threads/program-maker.ts";
import { NO_EVALUATOR } from "../manual-evaluator.ts";

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
	document: { enabled: true, inbound: costs, outbound: [] } as unknown as PolicyDocument,
});

const nothingShared = () => new SharedPolicies(new ExpressionThreads(NO_EVALUATOR));

const NO_PROGRAMS: ProgramMaker = { make: () => Promise.resolve([]) };

const readied = (started: string[], shared = nothingShared()) =>
	new PreparedPolicies(
		function* ({ inbound }) {
			started.push(JSON.stringify(inbound));
			for (const cost of inbound as unknown as number[]) {
				if (cost < 0) throw new Error("not valid");
				nowMs += cost;
				yield;
			}
			return { open: () => inbound } as unknown as PreparedPolicy;
		},
		NO_PROGRAMS,
		shared,
	);

const costs = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 20 });

describe("PreparedPolicies", () => {
	it("holds the event loop for a slice and a step at most, whatever the policies", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(costs, { maxLength: 10 }), async (documents) => {
				const shared = nothingShared();
				const policies = readied([], shared);
				let turnBeganMs = nowMs;
				const held: number[] = [];
				const turn = () => {
					held.push(nowMs - turnBeganMs);
					turnBeganMs = nowMs;
				};
				await policies.prepare(
					documents.map((each, index) => stored(`${index}`, each)),
					turn,
				);
				turn();
				expect(Math.max(...held)).toBeLessThan(SLICE_MS + Math.max(1, ...documents.flat()));
				documents.forEach((each, index) => {
					expect(shared.find(`${index}`)?.prepared.open({} as never)).toEqual(each);
				});
			}),
		);
	});

	it("leaves the event loop a turn before it goes on", async () => {
		const events: string[] = [];
		setImmediate(() => events.push("others"));
		await readied([]).prepare([stored("a", [SLICE_MS, 1])], () => events.push("progress"));
		expect(events).toEqual(["others", "progress"]);
	});

	it("knows whether one of them may have to wait", async () => {
		const policies = new PreparedPolicies(
			function* ({ enabled }) {
				yield;
				return { mayWait: !enabled, open: () => enabled } as unknown as PreparedPolicy;
			},
			NO_PROGRAMS,
			nothingShared(),
		);
		await policies.prepare([stored("a", [])], () => {});
		expect(policies.mayWait).toBe(false);
		const { document } = stored("b", []);
		await policies.prepare([{ etag: "b", document: { ...document, enabled: false } }], () => {});
		expect(policies.mayWait).toBe(true);
		policies.clear();
		expect(policies.mayWait).toBe(false);
	});

	it("prepares what is the same once, and what routes have already not at all", async () => {
		const started: string[] = [];
		const shared = nothingShared();
		const policies = readied(started, shared);
		shared.add("c", { mayWait: false, open: () => ({}) as never }).hold();
		const documents = ["a", "b", "a", "c"].map((etag) => stored(etag, [1]));
		await policies.prepare(documents, () => {});
		await policies.prepare([stored("b", [1])], () => {});
		expect(started).toEqual(["[1]", "[1]"]);
		expect(shared.size).toBe(3);
		policies.clear();
		expect([shared.find("a"), shared.find("b")]).toEqual([undefined, undefined]);
		expect(shared.find("c")).toBeDefined();
	});

	it("has made elsewhere what a policy asks for, and goes on with it", async () => {
		const wanted = [{ kind: "predicate", source: "long", phase: "inbound" }] as const;
		const made = [{ ...wanted[0], program: {} as PredicateProgram }];
		const asked: unknown[] = [];
		const shared = nothingShared();
		const policies = new PreparedPolicies(
			function* () {
				yield;
				const given = yield wanted;
				const next = yield;
				return { open: () => [given, next] } as unknown as PreparedPolicy;
			},
			{
				async make(programs, onProgress) {
					asked.push(programs);
					onProgress();
					return made;
				},
			},
			shared,
		);
		let turns = 0;
		await policies.prepare([stored("a", [])], () => {
			turns += 1;
		});
		expect(asked).toEqual([wanted]);
		expect(shared.find("a")?.prepared.open({} as never)).toEqual([made, undefined]);
		expect(turns).toBe(1);
	});

	it("says so when a document can't be prepared, and has what came before it", async () => {
		const shared = nothingShared();
		const policies = readied([], shared);
		const documents = [stored("a", [1]), stored("bad", [-1])];
		await expect(policies.prepare(documents, () => {})).rejects.toThrow("not valid");
		expect(shared.find("bad")).toBeUndefined();
		expect(shared.find("a")).toBeDefined();
	});
});
