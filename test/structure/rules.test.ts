/** Each house rule complains about a made-up file that breaks it, and about no other. */
import { describe, expect, it } from "vitest";
import type { Source } from "./imports.ts";
import {
	directionComplaints,
	fileCircleComplaints,
	foldingComplaints,
	hasLogic,
	isText,
	lengthComplaints,
	libraryComplaints,
	missingTargetComplaints,
	nodeApiComplaints,
	openingComplaints,
	purityComplaints,
	roomCycleComplaints,
	untestedComplaints,
	unusedNames,
	wordComplaints,
} from "./rules.ts";

const file = (path: string, ...lines: string[]): Source => ({
	path,
	text: `${lines.join("\n")}\n`,
});
const importing = (path: string, ...targets: string[]): Source =>
	file(path, ...targets.map((target) => `import "${target}";`));

describe("direction", () => {
	it("lets higher rooms import lower ones and files their neighbours", () => {
		const sources = [
			importing("limits.ts", "./errors.ts"),
			importing("cel/a.ts", "../limits.ts", "./b.ts", "node:crypto"),
			importing("policy/actions/a.ts", "../../cel/a.ts", "../compile.ts"),
			importing("limiter/a.ts", "../policy/a.ts"),
			importing("edge/a.ts", "../store/a.ts", "../limiter/a.ts", "../threads/a.ts"),
			importing("main.ts", "./process/a.ts", "./limits.ts"),
		];
		expect(directionComplaints(sources)).toEqual([]);
	});

	it.each([
		["limits.ts", "./cel/a.ts"],
		["cel/a.ts", "../policy/a.ts"],
		["policy/a.ts", "../limiter/a.ts"],
		["limiter/a.ts", "../store/a.ts"],
		["edge/a.ts", "../management/a.ts"],
		["management/a.ts", "../edge/a.ts"],
		["process/a.ts", "../main.ts"],
		["limits.ts", "./main.ts"],
		["cel/a.ts", "../../scripts/a.ts"],
		["cel/a.ts", "../unknown/a.ts"],
		["unknown/a.ts", "../limits.ts"],
	])("%s must not import %s, for its types neither", (path, target) => {
		expect(directionComplaints([importing(path, target)])).toHaveLength(1);
		const type = file(path, `import type { A } from "${target}";`);
		expect(directionComplaints([type])).toHaveLength(1);
	});
});

it("circles of files are found, one shortest way round for those that reach each other", () => {
	const chain = [importing("cel/a.ts", "./b.ts"), importing("cel/b.ts", "./c.ts")];
	expect(fileCircleComplaints([...chain, file("cel/c.ts", "")])).toEqual([]);
	const circle = [...chain, file("cel/c.ts", 'import type { A } from "./a.ts";')];
	const shorter = [...circle, importing("cel/d.ts", "./e.ts"), importing("cel/e.ts", "./d.ts")];
	expect(fileCircleComplaints(shorter)).toEqual([
		"circle of files: cel/a.ts → cel/b.ts → cel/c.ts → cel/a.ts",
		"circle of files: cel/d.ts → cel/e.ts → cel/d.ts",
	]);
});

it("circles of rooms are found, however long", () => {
	const chain = [importing("edge/a.ts", "../store/a.ts"), importing("store/a.ts", "../cel/a.ts")];
	expect(roomCycleComplaints(chain)).toEqual([]);
	const circle = [...chain, importing("cel/b.ts", "../edge/b.ts")];
	expect(roomCycleComplaints(circle)).toHaveLength(3);
});

it("imports of files that are not there are found", () => {
	const sources = [importing("a.ts", "./b.ts"), importing("b.ts", "./a.ts", "./c.ts")];
	expect(missingTargetComplaints(sources)).toEqual(["b.ts imports c.ts, which is not there"]);
});

describe("libraries", () => {
	it("may be imported by one file each", () => {
		const fine = [
			importing("uws.ts", "uWebSockets.js"),
			importing("store/a.ts", "lmdb"),
			importing("cel/a.ts", "re2js"),
			file("native-addon.ts", 'load("build/weir.node");'),
		];
		expect(libraryComplaints(fine)).toEqual([]);
	});

	it("may be loaded of the engine's folder when it is needed", () => {
		const fine = [
			importing("fleet/log/nats/a.ts", "@nats-io/transport-node", "./b.ts"),
			file("process/a.ts", 'export const load = () => import("../fleet/log/nats/a.ts");'),
			file("process/b.ts", 'import type { A } from "../fleet/log/nats/a.ts";'),
		];
		expect(libraryComplaints(fine)).toEqual([]);
		const client = importing("fleet/a.ts", "@nats-io/transport-node");
		expect(libraryComplaints([client])).toHaveLength(1);
		const early = file("process/a.ts", 'import { A } from "../fleet/log/nats/a.ts";');
		expect(libraryComplaints([early])).toHaveLength(1);
	});

	it("are complained about otherwise", () => {
		const twice = [importing("store/a.ts", "lmdb"), importing("store/b.ts", "lmdb/index.js")];
		expect(libraryComplaints(twice)).toEqual(["lmdb is imported by store/a.ts, store/b.ts"]);
		const types = [
			importing("edge/a.ts", "undici"),
			file("edge/b.ts", 'import type { Pool } from "undici";'),
		];
		expect(libraryComplaints(types)).toHaveLength(1);
		expect(libraryComplaints([importing("cel/a.ts", "@bufbuild/cel")])).toHaveLength(1);
		const type = file("cel/b.ts", 'import type { Expr } from "@bufbuild/cel-spec/a.js";');
		expect(libraryComplaints([type])).toHaveLength(1);
		expect(libraryComplaints([file("edge/a.ts", 'require("../weir.node");')])).toHaveLength(1);
		expect(libraryComplaints([file("edge/a.ts", "await import(name);")])).toHaveLength(1);
	});
});

describe("purity", () => {
	it("allows pure code, and anything elsewhere", () => {
		const fine = [
			file("cel/a.ts", 'import "node:crypto";', "const process = (a) => a;", "new Date(0);"),
			file("policy/a.ts", "// reads no Date.now()", 'const text = "process.env";'),
			file("edge/a.ts", 'import "node:fs";', "Date.now();", "process.exit();"),
		];
		expect(purityComplaints(fine)).toEqual([]);
	});

	it.each([
		'import "node:fs";',
		'import { connect } from "node:net";',
		'import type { IncomingMessage } from "node:http";',
		'import process from "node:process";',
		'import "lmdb";',
		"const now = Date.now();",
		"const now = new Date();",
		"performance.now();",
		"return process.env.HOME;",
		"setTimeout(run, 1);",
		'console.log("a");',
	])("complains in cel and policy about: %s", (line) => {
		expect(purityComplaints([file("cel/a.ts", line)])).toHaveLength(1);
		expect(purityComplaints([file("policy/actions/a.ts", line)])).toHaveLength(1);
	});

	it("allows hashing in cel only", () => {
		expect(purityComplaints([importing("policy/a.ts", "node:crypto")])).toHaveLength(1);
	});
});

describe("case of letters", () => {
	it("is that of ASCII where nobody is excused", () => {
		const fine = [
			file("edge/a.ts", "asciiLowerCase(name); // not toLowerCase()", "/close/i.test(text);"),
			file("edge/b.ts", "/\\p{L}/u.test(text);", 'const path = "/usr/lib";'),
			file("ascii.ts", "text.toLowerCase();"),
		];
		expect(foldingComplaints(fine, { "ascii.ts": "its work" })).toEqual([]);
		expect(foldingComplaints([], { "ascii.ts": "its work" })).toHaveLength(1);
	});

	it.each(["a.toLowerCase();", "a.map(toText).toLocaleUpperCase();", "/k/iu.test(a);", "/k/gvi;"])(
		"is complained about otherwise: %s",
		(line) => {
			expect(foldingComplaints([file("edge/a.ts", line)], {})).toHaveLength(1);
		},
	);
});

it("a file opens with a comment, after its interpreter at most", () => {
	const fine = [
		file("a.ts", "/** What it is for. */"),
		file("b.ts", "// What it is for."),
		file("main.ts", "#!/usr/bin/env node", "/**", " * What it is for.", " */"),
	];
	expect(openingComplaints(fine)).toEqual([]);
	expect(openingComplaints([importing("a.ts", "b")])).toHaveLength(1);
	expect(openingComplaints([file("a.ts", "", "// late")])).toHaveLength(1);
	expect(openingComplaints([file("a.ts", "#!/usr/bin/env node", "run();")])).toHaveLength(1);
});

it.each(["//", "/** */", "/**\n *\n */", "// -----"])(
	"a file does not open with a comment that says nothing: %s",
	(comment) => {
		expect(openingComplaints([file("a.ts", comment, "", "export const word = 1;")])).toEqual([
			"a.ts does not open with a comment",
		]);
	},
);

describe("names of a table", () => {
	it("are used in code, not in comments", () => {
		const used = file("a.ts", 'count("a_total"); // b_total', "// c_total", "LIMITS.bytes;");
		expect(unusedNames(["a_total"], [used])).toEqual([]);
		expect(unusedNames(["b_total", "c_total"], [used])).toEqual(["b_total", "c_total"]);
		expect(unusedNames(["bytes"], [used], "LIMITS.")).toEqual([]);
		expect(unusedNames(["byte", "bytesMax"], [used], "LIMITS.")).toEqual([
			"LIMITS.byte",
			"LIMITS.bytesMax",
		]);
	});
});

describe("Node-API", () => {
	const binding = file("binding/a.cc", "#include <napi.h>");

	it("is included in one folder", () => {
		expect(nodeApiComplaints([binding, file("a.cc", '#include "uv_abi.h"')], "binding/")).toEqual(
			[],
		);
		expect(nodeApiComplaints([], "binding/")).toHaveLength(1);
	});

	it.each(["<js_native_api.h>", '"node_api.h"', "<napi.h>", "<v8.h>", "<node.h>"])(
		"is not included elsewhere: %s",
		(header) => {
			expect(
				nodeApiComplaints([binding, file("upstream/a.cc", `#include ${header}`)], "binding/"),
			).toEqual(["upstream/a.cc includes Node-API"]);
		},
	);
});

it("a file longer than the bound is found", () => {
	const lines = Array.from({ length: 10 }, () => "// line");
	expect(lengthComplaints([file("a.ts", ...lines)], 10)).toEqual([]);
	expect(lengthComplaints([file("a.ts", ...lines, "")], 10)).toHaveLength(1);
});

describe("tests", () => {
	it("are needed where there is logic", () => {
		for (const text of [
			"export function a() {}",
			"export async function a() {}",
			"class A {}",
			"export const a = (b: number) => b + 1;",
			"const a = (): void => {};",
			"export type A = () => void;\nexport const a = () => [];",
		]) {
			expect(hasLogic(text), text).toBe(true);
		}
		for (const text of [
			"export interface A {\n\tb(): void;\n\tc: (d: number) => string;\n}",
			"export type A = (b: number) => string;",
			"export type A = {\n\tb: string;\n\tc: () => void;\n};",
			"export type A =\n\t| { b: string }\n\t| ((c: string) => void);",
			"export interface A {}",
			"export const A = { b: 1 } as const;",
			"// function a() {}",
		]) {
			expect(hasLogic(text), text).toBe(false);
		}
	});

	it("are missed, unless excused; an excuse that nobody needs is found too", () => {
		const sources = [
			file("a.ts", "export function a() {}"),
			file("room/b.ts", "export function b() {}"),
			file("room/types.ts", "export interface C {}"),
		];
		expect(untestedComplaints(sources, ["a.test.ts", "room/b.test.ts"], {})).toEqual([]);
		expect(untestedComplaints(sources, ["a.test.ts"], {})).toEqual(["room/b.ts has no test"]);
		expect(untestedComplaints(sources, ["b.test.ts"], { "a.ts": "why" })).toEqual([
			"room/b.ts has no test",
		]);
		const excuses = { "a.ts": "why", "room/b.ts": "why", "gone.ts": "why" };
		expect(untestedComplaints(sources, ["a.test.ts"], excuses)).toEqual([
			"a.ts needs no excuse any more",
			"gone.ts needs no excuse any more",
		]);
		const whole = [file("room/part-a.ts", "class A {}"), file("room/part-b.ts", "class B {}")];
		expect(untestedComplaints(whole, [], { "room/part-*": "why" })).toEqual([]);
		expect(untestedComplaints(whole, [], { "room/part-a*": "why" })).toHaveLength(1);
	});
});

it("binary files are told from text", () => {
	expect(isText("plain – text\n")).toBe(true);
	expect(isText(Buffer.from([0x50, 0x00, 0x51]).toString("utf8"))).toBe(false);
	expect(isText(Buffer.from([0x89, 0x50, 0xff]).toString("utf8"))).toBe(false);
});

it("forbidden words are found with their line", () => {
	const files = [file("a.md", "fine", "see /secret/place"), file("b.md", "fine")];
	expect(wordComplaints(files, [/\/secret\//, /never/])).toEqual(['a.md:2 says "/secret/"']);
});
