/** YAML documents: the values of the core schema, what is refused and where, and that nothing takes long or ends the process. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { parseYaml } from "../../src/documents/yaml.ts";
import { LIMITS } from "../../src/limits/limits.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const valueIn = (text: string): unknown => {
	const parsed = parseYaml(bytes(text));
	if (!parsed.ok) throw new Error(`${parsed.error.line}: ${parsed.error.message}`);
	return parsed.value.value;
};

const refusal = (text: string): string => {
	const parsed = parseYaml(bytes(text));
	if (parsed.ok) throw new Error(`accepted: ${text}`);
	return `${parsed.error.line}:${parsed.error.column} ${parsed.error.message}`;
};

describe("values", () => {
	it.each([
		["a: no", "no"],
		["a: yes", "yes"],
		["a: on", "on"],
		["a: true", true],
		["a: 2024-01-01", "2024-01-01"],
		["a: 12:30:45", "12:30:45"],
		["a: 1_000", "1_000"],
		["a: 1e3", 1000],
		["a: 014", 14],
		["a: 0o14", 12],
		["a: 0x1F", 31],
		["a: '5'", "5"],
		["a: ~", null],
		["a:", null],
		["a: # nothing", null],
		["a: req.url == 'x' # why", "req.url == 'x'"],
		["a: req.headers['a'] == 'b'", "req.headers['a'] == 'b'"],
		["a: |\n  x\n   y\n", "x\n y\n"],
		["a: >-\n  x\n  y\n", "x y"],
		["\ufeffa: 1", 1],
		["%YAML 1.2\n---\na: 1\n...\n", 1],
	])("%j are those of YAML 1.2's core schema", (text, expected) => {
		expect(valueIn(text)).toEqual({ a: expected });
	});

	it("keys are texts as they are written", () => {
		expect(valueIn("404: a\nno: b\nnull: c\n1e3: d\n'': e")).toEqual({
			404: "a",
			no: "b",
			null: "c",
			"1e3": "d",
			"": "e",
		});
	});

	it("aliases repeat what stands before them, the newest of a name", () => {
		expect(valueIn("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x")).toEqual({
			a: [1, 2],
			b: [1, 2],
			c: 3,
			d: 3,
		});
	});

	it("an empty text is null", () => {
		for (const text of ["", "# nothing\n", "---\n", "\n\n"]) expect(valueIn(text)).toBeNull();
	});

	it("whatever JSON holds comes back, as JSON and as YAML", () => {
		const value = fc.jsonValue({ maxDepth: 5, noUnicodeString: false });
		fc.assert(
			fc.property(value, (wanted) => {
				const json = JSON.stringify(wanted);
				if (json.includes("__proto__") || /\\ud[89a-f]/i.test(json)) return;
				const plain = JSON.parse(json) as unknown;
				expect(valueIn(json)).toEqual(plain);
				expect(valueIn(stringify(plain, { aliasDuplicateObjects: false }))).toEqual(plain);
			}),
			{ numRuns: 100 },
		);
	});
});

describe("refuses, with the place", () => {
	it.each([
		["a: 1\na: 2", '2:1 duplicate key "a"'],
		["x: {b: 1, 'b': 2}", '1:11 duplicate key "b"'],
		["a:\n  __proto__: 1", '2:3 the key "__proto__" is not allowed'],
		["a: .inf", '1:4 the number ".inf" is not finite'],
		["a: .NaN", '1:4 the number ".NaN" is not finite'],
		["a: -1e999", '1:4 the number "-1e999" is not finite'],
		["a: !!str 5", /^1:\d+ tags are not allowed \(".*str"\); put a text in quotes instead$/],
		["a: !foo 5", /^1:\d+ tags are not allowed \("!foo"\)/],
		["a: ! 5", /tags are not allowed/],
		["a: !!map {b: 1}", /tags are not allowed/],
		["!x a: 1", /tags are not allowed/],
		["a: 1\n---\nb: 2", "2:1 a second document begins here; write one"],
		["%YAML 1.1\n---\na: no", "1:1 YAML 1.1 is asked for, and weir reads 1.2"],
		["? [x]\n: y", "1:3 a key has to be a text"],
		["&k a: 1\n*k : 2", "2:1 a key has to be a text"],
		[": x", '1:1 the key before ":" is missing'],
		["a: &x {b: 1}\nc:\n  <<: *x", /^3:3 YAML 1\.2 has no merge keys/],
		["a: *x", "1:4 *x repeats nothing: no &x before it"],
		["a: &x [*x]", "1:8 *x stands inside what it repeats"],
		['a: "\\uD800"', "1:4 unpaired surrogate in a string"],
		['"\\uDC00": 1', "1:1 unpaired surrogate in a string"],
		["a: b\n\tc: d", /^2:1 a tab indents this line; YAML is indented with spaces$/],
		["a: x: y", /^1:4 a second ": " in what should be one text; put the whole text in quotes$/],
		["a: `x`", "1:4 no text begins like this without quotes; put the whole text in quotes"],
		['a: "x" == y', "1:8 unexpected text behind the value; put the whole text in quotes"],
		["a: 1\nb\n", '2:1 expected "key: value"; the ": " is missing'],
		["a: [1, 2", /^1:9 this is no YAML: /],
		["a: 'x", /^1:6 this is no YAML: /],
		["a: \u0001", "1:4 a control character; write it as an escape, in double quotes"],
	])("%j", (text, expected) => {
		if (typeof expected === "string") expect(refusal(text)).toBe(expected);
		else expect(refusal(text)).toMatch(expected);
	});

	it("bytes that are no UTF-8", () => {
		const parsed = parseYaml(new Uint8Array([0x61, 0x3a, 0x20, 0xff]));
		expect(parsed).toMatchObject({ ok: false, error: { line: 1, column: 4 } });
	});
});

describe("bounds", () => {
	const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
	it("nesting, in every style, before it fills the stack", () => {
		expect(valueIn(nested(LIMITS.jsonDepth))).toBeDefined();
		const tooDeep = new RegExp(`nested deeper than ${LIMITS.jsonDepth} levels$`);
		expect(refusal(nested(LIMITS.jsonDepth + 1))).toMatch(tooDeep);
		const lines = Array.from({ length: 400 }, (_, depth) => `${" ".repeat(depth)}a:`);
		const texts = ["- ".repeat(LIMITS.jsonDepth + 1), "- ".repeat(300_000), lines.join("\n")];
		const open = ["[".repeat(300_000), "{a: ".repeat(200_000), "? ".repeat(300_000), nested(500)];
		for (const text of [...texts, ...open]) expect(refusal(text)).toMatch(tooDeep);
	});

	it("bytes, before anything is read", () => {
		const text = `a: ${"x".repeat(LIMITS.yamlBytes - 3)}`;
		expect(parseYaml(bytes(text)).ok).toBe(true);
		expect(refusal(`${text}x`)).toBe(
			"1:1 YAML is read up to 2 MiB; write a larger document as JSON",
		);
	});

	it("what aliases repeat", () => {
		const rows = ["a: &a [x,x,x,x,x,x,x,x,x]"];
		for (const [before, name] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"])
			rows.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`);
		expect(refusal(rows.join("\n"))).toMatch(
			new RegExp(`aliases repeat more than ${LIMITS.yamlRepeatedValues} values$`),
		);
	});

	it("whatever is written, an answer with a place comes and nothing is thrown", () => {
		const bits = [
			"a",
			"<<",
			": ",
			"- ",
			"? ",
			"\n",
			"\n  ",
			"\t",
			"&x ",
			"*x",
			"!t ",
			"{",
			"}",
			"[",
			"]",
		];
		const more = [
			",",
			"'",
			'"',
			"|\n",
			"#",
			"---\n",
			"...\n",
			"%YAML 1.1\n",
			".inf",
			"~",
			"\\u",
			"\r",
			"@",
		];
		const text = fc.array(fc.constantFrom(...bits, ...more), { maxLength: 20 });
		fc.assert(
			fc.property(text, (parts) => {
				const parsed = parseYaml(bytes(parts.join("")));
				const place = parsed.ok ? parsed.value.positionOf("/a/0") : parsed.error;
				expect(place?.line).toBeGreaterThan(0);
			}),
			{ numRuns: 1000 },
		);
	});

	it("many keys, comments, quotes and mistakes take time in proportion", () => {
		const shapes = [
			Array.from({ length: 20_000 }, (_, index) => `k${index}: v`).join("\n"),
			`${"# c\n".repeat(50_000)}a: 1`,
			`a: "${"x\n ".repeat(50_000)}"`,
			"- ]\n".repeat(20_000),
			"'".repeat(100_000),
			`[${",".repeat(20_000)}]`,
			"---\n".repeat(30_000),
			"a: b: c\n".repeat(20_000),
		];
		for (const text of shapes) parseYaml(bytes(text));
	}, 30_000);
});

describe("positions", () => {
	const text =
		'inbound:\n  - actions:\n      - type: deny\n        "x/y": 1\nlist: &l [7, 8]\nsame: *l\n';
	const at = (pointer: string) => {
		const parsed = parseYaml(bytes(text));
		return parsed.ok && parsed.value.positionOf(pointer);
	};
	it.each([
		["", 1, 1],
		["/inbound", 1, 1],
		["/inbound/0", 2, 5],
		["/inbound/0/actions/0/type", 3, 9],
		["/inbound/0/actions/0/x~1y", 4, 9],
		["/inbound/0/missing", 2, 5],
		["/list/1", 5, 14],
		["/same", 6, 1],
		["/same/1", 5, 14],
	])("%s leads to %d:%d", (pointer, line, column) => {
		expect(at(pointer)).toEqual({ line, column });
	});
	it("what is no pointer leads nowhere", () => {
		expect(at("inbound")).toBeUndefined();
	});
});
