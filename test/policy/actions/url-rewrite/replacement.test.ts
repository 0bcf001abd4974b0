import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../../src/cel/pattern/pattern.ts";
import { parseReplacement } from "../../../../src/policy/actions/url-rewrite/replacement.ts";
import { Compiler } from "../../../../src/policy/programs/compiler.ts";

const patternOf = (source: string) => {
	const compiled = compilePattern(source);
	if (!compiled.ok) throw new Error(compiled.error.message);
	return compiled.value;
};

function parsed(to: string, from = "(a)(?P<id>b)", format: "nginx" | "cel" = "nginx"): string {
	const context = {
		format,
		pattern: patternOf(from),
		phase: "inbound",
		compiler: new Compiler(),
	} as const;
	const parts = parseReplacement(to, context);
	if (!parts.ok)
		return parts.error.map(({ code, message }) => `${code}: ${message.split("\n")[0]}`).join(" | ");
	return parts.value
		.map((part) => {
			if (part.kind === "literal") return JSON.stringify(part.text);
			if (part.kind === "group") return `#${part.number}`;
			return part.kind === "variable" ? `$${part.name}` : "template";
		})
		.join(" ");
}

describe("nginx", () => {
	test.each([
		["", ""],
		["plain", '"plain"'],
		["v1/user?id=$1&$args", '"v1/user?id=" #1 "&" $args'],
		["v1/admin?$is_args$args", '"v1/admin?" $is_args $args'],
		["${1}2", '#1 "2"'],
		["$12", '#1 "2"'],
		["${2}", "#2"],
		["$id", "#2"],
		["${id}x", '#2 "x"'],
		["$arg_a-b", '$arg_a "-b"'],
		["${host}x", '$host "x"'],
		["$$", '"$"'],
		["$$1", '"$1"'],
		["$${id}", '"${id}"'],
		["a$", '"a$"'],
		["$&$-$ ", '"$&$-$ "'],
	])("%j", (to, expected) => {
		expect(parsed(to)).toBe(expected);
	});

	test.each([
		["$0", 'unknown_group: "$0" is no group; groups count from 1'],
		["$3", 'unknown_group: "$3" names a group that "from" doesn\'t have; it has 2'],
		["${10}", 'unknown_group: "${10}" names a group that "from" doesn\'t have; it has 2'],
		["$arsg", 'unknown_variable: unknown variable "$arsg"; did you mean "$args"?'],
		["$idx", 'unknown_variable: unknown variable "$idx"; did you mean "$id"?'],
		[
			"$constructor",
			'unknown_variable: unknown variable "$constructor"; valid: $id, $args, $query_string, $is_args, $uri, $request_uri, $scheme, $host, $authority, $port, $arg_NAME',
		],
		[
			"${req.method}",
			'unknown_variable: "${req.method}" is no group or variable; for CEL expressions set "format": "cel"',
		],
		["x${", 'template_syntax: "${" at character 2 has no end'],
		[
			"$x$3",
			'unknown_variable: unknown variable "$x"; valid: $id, $args, $query_string, $is_args, $uri, $request_uri, $scheme, $host, $authority, $port, $arg_NAME | unknown_group: "$3" names a group that "from" doesn\'t have; it has 2',
		],
	])("refuses %j", (to, expected) => {
		expect(parsed(to)).toBe(expected);
	});

	test("a group beats a variable of the same name", () => {
		expect(parsed("$host$uri", "(?P<host>x)")).toBe("#1 $uri");
	});
});

describe("cel", () => {
	test.each([
		["$1/${req.method}", '#1 "/" template'],
		["${1}${id}${args}$uri", "#1 #2 $args $uri"],
		["$${req.method}", '"${req.method}"'],
	])("%j", (to, expected) => {
		expect(parsed(to, undefined, "cel")).toBe(expected);
	});

	test("refuses expressions that don't compile, beside other problems", () => {
		expect(parsed("${(}$9", undefined, "cel")).toMatch(/^template_syntax: /);
		expect(parsed("${1 +}$9", undefined, "cel")).toMatch(/ \| unknown_group: "\$9"/);
	});
});

test("without a pattern, groups are not judged", () => {
	const context = {
		format: "nginx",
		pattern: undefined,
		phase: "inbound",
		compiler: new Compiler(),
	} as const;
	expect(parseReplacement("$9$anything", context).ok).toBe(true);
});
