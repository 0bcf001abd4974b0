/** Every expression is seen once it is compiled, and known by its text. */
import { expect, test } from "vitest";
import { InspectingCompiler } from "../../../src/policy/lint/inspecting-compiler.ts";

test("expressions by their text, in either phase, compiled once or twice", () => {
	const compiler = new InspectingCompiler({ tls: false, geo: false, clientPort: false });
	expect(compiler.ofPredicate("conn.tls.sni == 'a'")).toBeUndefined();
	for (const phase of ["inbound", "outbound", "inbound"] as const) {
		expect(compiler.predicate("conn.tls.sni == 'a'", phase).ok).toBe(true);
		expect(compiler.ofPredicate("conn.tls.sni == 'a'")?.findings).toHaveLength(1);
	}
	expect(compiler.predicate("nothing", "inbound").ok).toBe(false);
	expect(compiler.ofPredicate("nothing")).toBeUndefined();
});

test("fields of an action that hold expressions, by their path", () => {
	const compiler = new InspectingCompiler(undefined);
	const bad = "${req.method == 'get'}";
	const fields = compiler.ofAction(
		{
			type: "custom-response",
			config: { content: `${bad} ${bad} \${req.host}`, headers: { a: "plain", b: bad } },
		},
		"inbound",
	);
	expect(fields.map(({ path, inspections }) => [path, inspections.length])).toEqual([
		[["content"], 3],
		[["headers", "b"], 1],
	]);
	expect(compiler.ofAction({ type: "deny", config: {} }, "inbound")).toEqual([]);
});
