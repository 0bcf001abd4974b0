/** Plans: nothing for what is the same, an order without a gap in protection, batches where something passes over. */
import { describe, expect, it } from "vitest";
import { deletedBy, planOf, stepsOf } from "../../../src/process/apply/plan.ts";
import { keyOf, type Resource, type StoredResource } from "../../../src/process/apply/resources.ts";
import { documentOf } from "../../policy/support.ts";

const edge = (name: string, ...hostports: string[]): Resource =>
	({
		...{ kind: "edge", name, document: { hostports, description: "", metadata: "" } },
	}) as Resource;
const route = (name: string, match: string): Resource =>
	({
		kind: "route",
		name,
		document: { match_type: "path_prefix", match, backend: {} },
	}) as Resource;
const policy = (name: string, ...actions: object[]): Resource => ({
	kind: "policy",
	name,
	document: documentOf({
		inbound: [{ actions: actions.length > 0 ? actions : [{ type: "deny" }] }],
	}),
});
const list = (name: string): Resource => ({ kind: "ip_list", name, document: { entries: [] } });
const wanted = (...resources: Resource[]) => new Map(resources.map((each) => [keyOf(each), each]));
const stored = (...resources: Resource[]): Map<string, StoredResource> =>
	new Map(resources.map((each) => [keyOf(each), { ...each, etag: '"e"' }]));
const shown = (plan: ReturnType<typeof planOf>) =>
	plan.batches.map((batch) =>
		batch.map(({ action, kind, name }) => `${action} ${kind} ${name}`).join(" + "),
	);

describe("the order", () => {
	it("has lists before policies, policies before edges and routes, deletions last", () => {
		const plan = planOf(
			wanted(route("e/r", "/"), edge("e", "a"), policy("e/r"), list("l")),
			stored(edge("old", "b"), route("old/r", "/"), policy("old/r"), list("m"), policy("x/y")),
			true,
		);
		expect(shown(plan)).toEqual([
			"create ip_list l",
			"create policy e/r",
			"create edge e",
			"create route e/r",
			"delete policy x/y",
			"delete edge old",
			"delete ip_list m",
		]);
		expect(stepsOf(plan).at(-2)?.takesAlong).toEqual(["route old/r", "policy old/r"]);
		expect(deletedBy(plan)).toBe(5);
	});

	it("does together what passes from one to another, and has it given up first", () => {
		const hosts = planOf(
			wanted(edge("a", "x", "y"), edge("b", "z")),
			stored(edge("a", "x"), edge("b", "y", "z")),
			false,
		);
		expect(shown(hosts)).toEqual(["change edge b + change edge a"]);
		const renamed = planOf(
			wanted(edge("e", "a"), route("e/new", "/admin"), policy("e/new")),
			stored(edge("e", "a"), route("e/old", "/admin"), policy("e/old")),
			true,
		);
		expect(shown(renamed)).toEqual([
			"create policy e/new",
			"delete route e/old + create route e/new",
		]);
		const moved = planOf(wanted(edge("n", "x")), stored(edge("o", "X:80"), edge("p", "q")), true);
		expect(shown(moved)).toEqual(["create edge n", "delete edge o", "delete edge p"]);
		const same = planOf(wanted(edge("n", "X")), stored(edge("o", "x")), true);
		expect(shown(same)).toEqual(["delete edge o + create edge n"]);
	});

	it("says what can't be ordered", () => {
		const swap = planOf(
			wanted(edge("a", "y"), edge("b", "x")),
			stored(edge("a", "x"), edge("b", "y")),
			false,
		);
		expect(swap.obstacles).toEqual([expect.stringContaining("want what belongs to the other")]);
		const taken = planOf(wanted(edge("a", "x")), stored(edge("b", "x")), false);
		expect(taken.obstacles).toEqual([
			"the edge a wants the hostport x, which belongs to the edge b on the server; change that one too, or delete it",
		]);
	});
});

describe("what is the same", () => {
	it("is no step, whatever the order of members", () => {
		const plan = planOf(
			wanted({ ...edge("e"), document: { metadata: "", hostports: ["a"], description: "" } }),
			stored(edge("e", "a")),
			true,
		);
		expect(plan).toMatchObject({ unchanged: 1, batches: [], obstacles: [] });
	});

	it("includes secrets, which are stored as hashes", () => {
		const written = (password: string) =>
			policy("e/r", { type: "basic-auth", config: { credentials: [`ada:${password}`] } });
		const first = planOf(wanted(written("one more horse")), stored(), false);
		const sealed = stepsOf(first)[0]?.after;
		expect(JSON.stringify(sealed)).not.toContain("one more horse");
		const known = stored({ ...written("one more horse"), document: sealed ?? {} });
		expect(planOf(wanted(written("one more horse")), known, false).unchanged).toBe(1);
		expect(planOf(wanted(written("two more horses")), known, false).unchanged).toBe(0);
	});
});
