/** Files of resources are strict, told with places, and put into normal form. */
import { expect, it } from "vitest";
import { parseYaml } from "../../../src/documents/yaml.ts";
import { declarationsIn } from "../../../src/process/apply/read-resources.ts";

const read = (text: string, tests?: "run" | "leave") => {
	const parsed = parseYaml(Buffer.from(text));
	if (!parsed.ok) throw new Error(parsed.error.message);
	return declarationsIn(parsed.value.value, { rulesPerPhase: 500 }, tests);
};

const WHOLE = `
ip_lists: {l: {entries: [192.0.2.1, 10.0.0.0/8]}}
edges:
  e:
    hostports: [a]
    routes:
      r: {match_type: path_prefix, match: /, backend: {urls: ["http://b"]}, policy: {inbound: [{actions: [{type: deny}]}]}}
routes: {e/s: {match_type: exact_path, match: /s, backend: {urls: ["http://b"]}}}
policies: {e/s: {module: {enabled: false}}}
`;

it("takes routes and policies where they belong and beside", () => {
	const { declared, problems } = read(WHOLE);
	expect(problems).toEqual([]);
	expect(declared.map(({ kind, name, pointer }) => [kind, name, pointer])).toEqual([
		["ip_list", "l", "/ip_lists/l"],
		["edge", "e", "/edges/e"],
		["route", "e/r", "/edges/e/routes/r"],
		["policy", "e/r", "/edges/e/routes/r/policy"],
		["route", "e/s", "/routes/e~1s"],
		["policy", "e/s", "/policies/e~1s/module"],
	]);
	expect(declared[0]?.document).toEqual({ entries: ["10.0.0.0/8", "192.0.2.1"], description: "" });
	expect(declared[1]?.document).toEqual({ hostports: ["a"], description: "", metadata: "" });
	expect(read("").declared).toEqual([]);
	expect(read("edges:\n").problems).toEqual([]);
});

it.each([
	["edgs: {}", '/edgs unknown field "edgs"; did you mean "edges"?'],
	["edges: [a]", "/edges expected an object of names with their documents, got a list"],
	["[]", " expected an object, got a list"],
	["edges: {'a b': {}}", '/edges/a b "a b" is no name'],
	["policies: {a: {}}", '/policies/a "a" is no name: write EDGE/ROUTE'],
	["edges: {e: {hostports: []}}", "/edges/e/hostports must have at least"],
	["edges: {e: 7}", "/edges/e expected an object, got the number 7"],
	["edges: {e: {hostports: [a], routes: {r: {}}}}", "/edges/e/routes/r/match_type"],
	["ip_lists: {l: {entries: [x]}}", '/ip_lists/l/entries/0 "x" is no address or range'],
	["policies: {e/r: {inbond: []}}", '/policies/e~1r/inbond unknown field "inbond"'],
	[
		"policies: {e/r: {tests: [{name: t, request: {}, expect: {status: 404}}]}}",
		'/policies/e~1r/tests/0/expect/status test "t": expected 404, got 200',
	],
])("%s", (text, problem) => {
	const { problems } = read(text);
	expect(problems.map(({ pointer, message }) => `${pointer} ${message}`)[0]).toContain(problem);
});

it("leaves tests to those who run them themselves", () => {
	const text = "policies: {e/r: {tests: [{name: t, request: {}, expect: {status: 404}}]}}";
	expect(read(text, "leave").problems).toEqual([]);
});
