/** The reader of imports finds every form of one, and nothing that only talks about imports. */
import { describe, expect, it } from "vitest";
import { computedImports, packageOf, resolveRelative, specifiers } from "./imports.ts";

describe("specifiers", () => {
	it("finds every form", () => {
		const text = [
			'import a from "a";',
			'import type { B } from "b";',
			'import * as c from "c/sub";',
			"import {",
			"\ttype D,",
			"\td,",
			'} from "d";',
			'import "e";',
			'export * from "f";',
			'export type { G } from "g";',
			'const h = await import("h");',
			'type I = typeof import("i");',
			'const j = createRequire(import.meta.url)("x"), k = require("k");',
			'const l = require.resolve("l/package.json");',
		].join("\n");
		const expected = ["a", "b", "c/sub", "d", "e", "f", "g", "h", "i", "k", "l/package.json"];
		expect(specifiers(text).sort()).toEqual(expected);
	});

	it("is not fooled by comments, strings and other statements", () => {
		const text = [
			'/** as in import("a") and',
			' * import b from "b" */',
			'// import c from "c";',
			'run(); // then import("d")',
			'const sentence = "comes from";',
			'export const from = "e";',
			"\texport const url = 'http://x'; const quote = /[\"']/;",
			'import f from "f";',
		].join("\n");
		expect(specifiers(text)).toEqual(["f"]);
	});
});

it("computed imports are counted, literal ones and import.meta are not", () => {
	expect(computedImports('import("a"); import.meta.url; import(\n\t"b",\n);')).toBe(0);
	expect(computedImports("import(name); import(`./${name}`)")).toBe(2);
});

it("relative specifiers resolve against their file", () => {
	expect(resolveRelative("a/b.ts", "./c.ts")).toBe("a/c.ts");
	expect(resolveRelative("a/b/c.ts", "../../d.ts")).toBe("d.ts");
	expect(resolveRelative("b.ts", "../native/x.ts")).toBe("../native/x.ts");
	expect(resolveRelative("a/b.ts", "lmdb")).toBeUndefined();
});

it("packages are told from their parts", () => {
	expect(packageOf("yaml")).toBe("yaml");
	expect(packageOf("lmdb/index.js")).toBe("lmdb");
	expect(packageOf("@a/b/c")).toBe("@a/b");
});
