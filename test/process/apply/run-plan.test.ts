/** Steps are sent in their order with what was seen as condition; the first that fails ends the run. */
import { expect, it } from "vitest";
import { type ApiAnswer, ApiFailure } from "../../../src/process/api/api-client.ts";
import { runPlan } from "../../../src/process/apply/run-plan.ts";
import type { Step } from "../../../src/process/apply/step.ts";

const step = (action: Step["action"], name: string): Step => ({
	...{ action, kind: "edge", name, takesAlong: [] },
	before: action === "create" ? undefined : {},
	after: action === "delete" ? undefined : { hostports: [name] },
	etag: action === "create" ? undefined : `"${name}"`,
});
const planOf = (...batches: Step[][]) => ({ batches, unchanged: 0, obstacles: [] });

async function run(
	plan: ReturnType<typeof planOf>,
	answers: readonly (ApiAnswer | Error)[],
	atomic = false,
) {
	const sent: unknown[] = [];
	const said: string[] = [];
	const left = [...answers];
	const client = {
		async send(method: string, path: string, body: unknown, conditions: object = {}) {
			sent.push([method, path, body, conditions]);
			const answer = left.shift();
			if (answer instanceof Error) throw answer;
			return answer ?? { status: 200, etag: undefined, body: undefined };
		},
	};
	return { ...(await runPlan(client, plan, atomic, (line) => said.push(line))), sent, said };
}

it("sends each with what was seen as its condition", async () => {
	const { sent, said, done, failure } = await run(
		planOf([step("create", "a")], [step("change", "b")], [step("delete", "c")]),
		[],
	);
	expect(sent).toEqual([
		["PUT", "/edges/https/a", { hostports: ["a"] }, { "if-none-match": "*" }],
		["PUT", "/edges/https/b", { hostports: ["b"] }, { "if-match": '"b"' }],
		["DELETE", "/edges/https/c", undefined, { "if-match": '"c"' }],
	]);
	expect(said).toEqual(["created edge a\n", "changed edge b\n", "deleted edge c\n"]);
	expect([done, failure]).toEqual([3, undefined]);
});

it("sends a batch, and all where it is told to, as one transaction", async () => {
	const plan = planOf([step("create", "a")], [step("delete", "b"), step("create", "c")]);
	const { sent } = await run(plan, []);
	expect(sent[1]).toEqual([
		"POST",
		"/transactions",
		{
			operations: [
				{ method: "DELETE", path: "/edges/https/b", if_match: '"b"' },
				{
					...{ method: "PUT", path: "/edges/https/c", document: { hostports: ["c"] } },
					if_none_match: "*",
				},
			],
		},
		{},
	]);
	const atomic = await run(plan, [], true);
	expect(atomic.sent).toHaveLength(1);
	expect(atomic.done).toBe(3);
	expect((await run(planOf(), [], true)).sent).toEqual([]);
});

it("ends with the first that fails, in words", async () => {
	const plan = planOf([step("create", "a")], [step("change", "b")], [step("create", "c")]);
	const good = { status: 200, etag: undefined, body: undefined };
	const conflict = {
		...{ status: 409, etag: undefined },
		body: { error_code: "ERR_HOSTPORT_CONFLICT", msg: "Taken.", problems: [] },
	};
	const failed = await run(plan, [good, conflict]);
	expect([failed.done, failed.failure]).toEqual([1, "the edge b: Taken. (ERR_HOSTPORT_CONFLICT)"]);
	expect(failed.sent).toHaveLength(2);
	const changed = await run(plan, [good, { ...good, status: 412 }]);
	expect(changed.failure).toContain("was changed by somebody else meanwhile");
	const lost = await run(plan, [new ApiFailure("cannot reach it")]);
	expect([lost.done, lost.failure]).toEqual([0, "the edge a: cannot reach it"]);
});
