/** Configs of url-rewrite that are refused; `url-rewrite/run.test.ts` runs those that are not. */
import { expect, test } from "vitest";
import { inbound, problemsOf } from "../support.ts";

const rewrite = (from: string, to: string, format?: string): unknown =>
	inbound({
		type: "url-rewrite",
		config: { from, to, ...(format === undefined ? {} : { format }) },
	});

test("expressions in the pattern are checked, but not with the format of nginx", () => {
	const wrong = "${req.nothing}";
	for (const format of ["cel", undefined])
		expect(problemsOf(rewrite(wrong, "x", format))).toEqual([
			expect.stringContaining("/inbound/0/actions/0/config/from unknown_variable"),
		]);
	expect(problemsOf(rewrite(wrong, "x", "nginx"))).toEqual([]);
});

test("expressions in the pattern are for documents without a format", () => {
	expect(problemsOf(rewrite("/${req.method}", "x"))).toEqual([]);
	expect(problemsOf(rewrite("/${req.method}", "x", "cel"))).toEqual([
		expect.stringContaining("/inbound/0/actions/0/config/from invalid_value: takes no ${CEL"),
	]);
	expect(problemsOf(rewrite("/a{2}", "x${req.method}", "cel"))).toEqual([]);
});

test("an unknown format is refused together with what its expressions get wrong", () => {
	const [to, format] = problemsOf(rewrite("(a)", "$1${req.nothing..x}", "ngrok"));
	expect(format).toBe(
		'/inbound/0/actions/0/config/format unknown_value: unknown value "ngrok"; did you mean "cel"? Valid values: "nginx", "cel"',
	);
	expect(to).toContain("/inbound/0/actions/0/config/to ");
});
