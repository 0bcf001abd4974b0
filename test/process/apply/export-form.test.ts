/** What is exported reads back as what is stored. */
import { expect, it } from "vitest";
import { exportForm, formOf } from "../../../src/process/apply/export-form.ts";
import { declarationsIn } from "../../../src/process/apply/read-resources.ts";
import { keyOf, type Resource } from "../../../src/process/apply/resources.ts";
import { documentOf } from "../../policy/support.ts";

const policies = [
	{},
	{ enabled: false },
	{ inbound: [{ name: "a", enforce: false, expressions: ["true"], actions: [{ type: "deny" }] }] },
	{ outbound: [{ actions: [{ type: "log", config: {} }] }] },
	{ tests: [{ name: "t", request: {}, expect: { status: 200 } }] },
].map(
	(each, index): Resource => ({ kind: "policy", name: `e/${index}`, document: documentOf(each) }),
);
const resources: readonly Resource[] = [
	{ kind: "ip_list", name: "l", document: { entries: ["::1"], description: "one" } },
	{ kind: "edge", name: "e", document: { hostports: ["a"], description: "", metadata: "m" } },
	{
		...{ kind: "route", name: "e/0" },
		document: { match_type: "path_prefix", match: "/", backend: { urls: ["http://b"] } },
	},
	...policies,
];

it("holds all of it, policies without a route as well", () => {
	const form = exportForm(new Map(resources.map((each) => [keyOf(each), each])));
	const { declared, problems } = declarationsIn(form, { rulesPerPhase: 500 });
	expect(problems).toEqual([]);
	const read = declared.map(({ pointer: _, ...each }) => each);
	expect(new Set(read)).toEqual(new Set(resources));
	expect(form).toMatchObject({ edges: { e: { metadata: "m", routes: { 0: { policy: {} } } } } });
	expect(Object.keys(form.policies as object)).toEqual(["e/1", "e/2", "e/3", "e/4"]);
	expect(exportForm(new Map())).toEqual({});
});

it("leaves out what is so by default", () => {
	expect(policies.map(formOf)).toEqual([
		{},
		{ enabled: false },
		{
			inbound: [{ name: "a", enforce: false, expressions: ["true"], actions: [{ type: "deny" }] }],
		},
		{ outbound: [{ actions: [{ type: "log" }] }] },
		{ tests: [{ name: "t", request: {}, expect: { status: 200 } }] },
	]);
});
