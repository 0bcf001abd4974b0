/** Each rule about citations complains about a made-up comment that breaks it, and about no other. */
import { describe, expect, it } from "vitest";
import {
	fileNameComplaints,
	paperComplaints,
	reasonComplaints,
	Tree,
	userComplaints,
} from "./citations.ts";
import { commentsOf } from "./comments.ts";
import type { Source } from "./imports.ts";

const file = (path: string, ...lines: string[]): Source => ({ path, text: lines.join("\n") });

const TREE = new Tree([
	"src/store/store.ts",
	"src/store/deep/pages.ts",
	"src/http/path.ts",
	"src/http/paths/path.ts",
	"src/http/twice/twin.ts",
	"src/http/thrice/twin.ts",
	"test/store/store.test.ts",
	"native/README.md",
	"native/src/binding/store.cc",
	"native/src/upstream/call.h",
	"native/src/upstream/call.cc",
	"native/src/upstream/call_reading.cc",
]);

describe("comments", () => {
	it("are blocks, lines and what stands behind code", () => {
		const source = file(
			"src/store/store.ts",
			"/**",
			" * One block,",
			" * two lines.",
			" */",
			"const url = 'http://a.b'; // behind",
			"\t// first",
			"\t// second",
		);
		expect(commentsOf(source)).toEqual([
			{ path: "src/store/store.ts", line: 1, text: "One block, two lines." },
			{ path: "src/store/store.ts", line: 6, text: "first second" },
			{ path: "src/store/store.ts", line: 5, text: "behind" },
		]);
	});
});

describe("names of files", () => {
	const complaints = (path: string, comment: string) =>
		fileNameComplaints([file(path, `// ${comment}`)], TREE, ["foreign.h"]);

	it.each([
		"`store.ts` beside it, `deep/pages.ts` below, `pages.ts` in its room",
		"`http/path.ts` from src, src/http/path.ts, and http/path without its end",
		"test/store/store, native/README.md and the folder src/http",
		"foreign.h, and a path of the web like /v1/store.ts or either/or",
	])("may be %s", (comment) => {
		expect(complaints("src/store/store.ts", comment)).toEqual([]);
	});

	it.each([
		["`gone.ts`", "gone.ts"],
		["`path.ts`, which is another room's", "path.ts"],
		["http/gone", "http/gone"],
		["test/gone.test.ts", "test/gone.test.ts"],
		["docs/gone.md", "docs/gone.md"],
		["call.h", "call.h"],
	])("%s is not there", (comment, name) => {
		expect(complaints("src/store/store.ts", comment)).toEqual([
			`src/store/store.ts:1 names ${name}, which is not there`,
		]);
	});

	it("are not guessed where two files of the room have the name", () => {
		expect(complaints("src/http/path.ts", "`twin.ts`")).toHaveLength(1);
	});
});

describe("names of files in papers", () => {
	const complaints = (path: string, ...lines: string[]) =>
		fileNameComplaints([file(path, ...lines)], TREE);

	it.each<[string, string]>([
		["src/store/README.md", "`store.ts`, `deep/pages.ts`, `store.test.ts` of its tests, `deep/`"],
		["native/README.md", "`src/upstream/call.h`, `call_reading.cc`, `../src/store/`"],
		["docs/design.md", "`src/http/path.ts`, `npm run gone.ts`, `src/gone/*.ts`, src/gone.ts"],
		["docs/design.md", "`deep/pages.ts`, `twin.ts` of either folder, `src/<name>.ts`"],
	])("may be, in %s: %s", (path, line) => {
		expect(complaints(path, line)).toEqual([]);
	});

	it.each<[string, string, string]>([
		["src/store/README.md", "`path.ts`", "path.ts"],
		["native/README.md", "`../src/http/gone.ts`", "src/http/gone.ts"],
		["native/README.md", "`../src/http/gone/`", "src/http/gone"],
		["docs/design.md", "`src/gone.ts`", "src/gone.ts"],
		["CONTRIBUTING.md", "`deep/gone.ts`", "deep/gone.ts"],
	])("are not there, in %s: %s", (path, line, name) => {
		expect(complaints(path, "# Title", line)).toEqual([
			`${path}:2 names ${name}, which is not there`,
		]);
	});
});

it("the reason for an excuse names tests that are there", () => {
	const excused = { "a.ts": "test/store/store sees it, test/store too", "b.ts": "test/store/gone" };
	expect(reasonComplaints(excused, TREE)).toEqual([
		"the excuse of b.ts names test/store/gone, which is not there",
	]);
});

describe("users of a file", () => {
	const used = file("src/store/deep/pages.ts", "/** Called by `store.ts` and http/path.ts. */");

	it("import it, directly, through a file that passes it on, or when it is needed", () => {
		const path = file("src/http/path.ts", 'import { a } from "../http/paths/path.ts";');
		const passing = file(
			"src/http/paths/path.ts",
			'export { a } from "../../store/deep/pages.ts";',
		);
		const store = file("src/store/store.ts", 'const a = await import("./deep/pages.ts");');
		expect(userComplaints([used, path, passing, store], TREE)).toEqual([]);
	});

	it("are found out if they don't", () => {
		const path = file("src/http/path.ts", '// import "../store/deep/pages.ts";');
		const store = file("src/store/store.ts", 'import "./deep/pages.ts";');
		expect(userComplaints([used, path, store], TREE)).toEqual([
			"src/store/deep/pages.ts:1 is not used by http/path.ts",
		]);
	});

	it("in C++ include its header, or share one with it", () => {
		const header = file("native/src/upstream/call.h", "// Made by binding/store.cc.");
		const part = file("native/src/upstream/call_reading.cc", "// Called by call.cc.");
		const binding = file("native/src/binding/store.cc", '#include "upstream/call.h"');
		expect(userComplaints([header, part, binding], TREE)).toEqual([]);
		const stranger = file("native/src/binding/store.cc", '#include "upstream/core.h"');
		expect(userComplaints([header, part, stranger], TREE)).toHaveLength(1);
	});
});

describe("papers", () => {
	const papers = new Map([
		[
			"docs/contract.md",
			"# Contract\n## 2. Management API\nWrites are **Durable**.\n### 2.1 Lists\n",
		],
		["native/README.md", "# Native\n## The `request` view\n"],
	]);
	const complaints = (comment: string) =>
		paperComplaints([file("native/src/upstream/call.h", `// ${comment}`)], TREE, papers);

	it.each([
		"(contract 2, 2.1)",
		'contract 2, "durable"; contract 2, etags',
		'README.md, "The request view"',
		'the CEL specification, "Macros"',
	])("%s is there", (comment) => {
		expect(complaints(comment)).toEqual([]);
	});

	it.each([
		"contract 3",
		"contract 2, 4",
		'contract 2, "Lost"',
		'README.md, "Native code"',
		'docs/gone.md, "Anything"',
		"spec 2.5",
		'design, "Rooms"',
		"README, Known limits",
	])("%s is not", (comment) => {
		expect(complaints(comment)).toHaveLength(1);
	});

	it("the contract itself has to be there", () => {
		const source = [file("src/store/store.ts", "// contract 2")];
		expect(paperComplaints(source, TREE, new Map())).toHaveLength(1);
	});
});
