/** An expression names the results that it reads, however they are written, and as a whole where nothing less is sure. */
import { expect, test } from "vitest";
import { predicateProgram } from "../../src/cel/compile.ts";

test.each([
	["req.method == 'GET'", undefined],
	["actions.rate_limit.limited", ["actions.rate_limit"]],
	["actions.ngrok.rate_limit.limited", ["actions.rate_limit"]],
	["has(actions.rate_limit)", ["actions.rate_limit"]],
	["has(actions.ngrok.rate_limit.limited)", ["actions.rate_limit"]],
	["actions['rate_limit'].limited", ["actions.rate_limit"]],
	["actions.?rate_limit.?limited.orValue(false)", ["actions.rate_limit"]],
	["size(actions) > 0", ["actions"]],
	["'x' in vars", ["vars"]],
	["vars[req.method] == 1", ["vars"]],
	[
		"vars.a == vars.b && has(vars.c) && vars[?'d'].orValue(true)",
		["vars.a", "vars.b", "vars.c", "vars.d"],
	],
	["cel.bind(v, vars, v.a == 1)", ["vars"]],
	["actions.ngrok == actions", ["actions"]],
])("%s", (source, names) => {
	const program = predicateProgram(source, "inbound");
	if (!program.ok) throw new Error(JSON.stringify(program.error));
	expect(program.value.results).toEqual(names);
});
