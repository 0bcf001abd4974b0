/** The lines of `weir check`, for people and for programs. */
import { expect, it } from "vitest";
import { type CheckedFile, finding } from "../../../src/process/check/checked-file.ts";
import { jsonLine, lines } from "../../../src/process/check/report.ts";

const file = (part: Partial<CheckedFile>): CheckedFile => ({
	path: "a.yaml",
	kind: "policy",
	wrapper: undefined,
	findings: [],
	...part,
});
const position = { line: 3, column: 5 };

it("has each finding with its place, further lines indented, and what the file was taken for", () => {
	const findings = [
		finding("error", "first\nsecond", { pointer: "/x", position }),
		finding("error", "root", { pointer: "", position: { line: 1, column: 1 } }),
		finding("error", "torn", { position }),
		finding("error", "unreadable"),
		{ severity: "warning" as const, source: "WEIR_X", message: "stray" },
	];
	expect(lines(file({ kind: "config", findings }))).toBe(
		[
			"a.yaml:3:5: /x: error: first",
			"    second",
			"a.yaml:1:1: /: error: root",
			"a.yaml:3:5: error: torn",
			"a.yaml: error: unreadable",
			"a.yaml: WEIR_X: warning: stray",
			"a.yaml: 4 errors, 1 warning (config file)",
			"",
		].join("\n"),
	);
});

it.each([
	[{}, "a.yaml: ok (policy)\n"],
	[{ wrapper: "module" as const }, 'a.yaml: ok (policy in "module")\n'],
	[{ kind: "config" as const }, "a.yaml: ok (config file)\n"],
])("%j is a verdict", (part, line) => {
	expect(lines(file(part))).toBe(line);
});

it("of what could not be judged says so", () => {
	const unknown = file({ kind: undefined, findings: [finding("error", "why")] });
	expect(lines(unknown)).toBe("a.yaml: error: why\na.yaml: 1 error (not judged)\n");
});

it("is a line of JSON that a program can take apart", () => {
	const findings = [
		finding("error", "one\ntwo", { pointer: "/x", position }),
		finding("warning", "w"),
	];
	const line = jsonLine(file({ findings, wrapper: "module" }));
	expect(line.indexOf("\n")).toBe(line.length - 1);
	expect(JSON.parse(line)).toEqual({
		file: "a.yaml",
		kind: "policy",
		wrapped: true,
		ok: false,
		findings: [
			{ severity: "error", pointer: "/x", line: 3, column: 5, message: "one\ntwo" },
			{ severity: "warning", pointer: null, line: null, column: null, message: "w" },
		],
	});
	expect(JSON.parse(jsonLine(file({ kind: undefined })))).toMatchObject({ kind: null, ok: true });
});
