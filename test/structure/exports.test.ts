/** The rule about exports complains about made-up ones that have no user in src, and about no other. */
import { describe, expect, it } from "vitest";
import { exportComplaints, exportsOf, importedNames } from "./exports.ts";
import type { Source } from "./imports.ts";

const file = (path: string, ...lines: string[]): Source => ({ path, text: lines.join("\n") });

it("reads what a file exports", () => {
	const text = [
		"export const a = 1;",
		"export async function b() {}",
		"export abstract class C {}",
		"export interface D {}",
		'export { e, f as g } from "./x.ts";',
		"// export const h = 1;",
	].join("\n");
	expect(exportsOf(text)).toEqual(["a", "b", "C", "D", "e", "g"]);
});

it("reads what a file imports by name", () => {
	const source = file(
		"room/a.ts",
		'import { a, type B, c as d } from "./x.ts";',
		'export { e } from "../y.ts";',
		'import * as all from "./z.ts";',
		'const { f, g: h } = await import("./x.ts");',
		'const i = (await import("./x.ts")).i;',
		'type J = import("./x.ts").J;',
	);
	expect(importedNames(source).sort()).toEqual(
		["x.ts#B", "x.ts#J", "x.ts#a", "x.ts#c", "x.ts#f", "x.ts#g", "x.ts#i", "z.ts#*"]
			.map((name) => `room/${name}`)
			.concat("y.ts#e"),
	);
});

describe("an export", () => {
	const user = file("room/user.ts", 'import { used } from "./a.ts";');
	const complaints = (text: string, others: readonly string[] = []) =>
		exportComplaints([file("room/a.ts", text), user], others, {});

	it("that another file imports is right", () => {
		expect(complaints("export const used = 1;")).toEqual([]);
	});

	it("that only tests import is complained about", () => {
		const expected = ["room/a.ts#other has no user in src"];
		expect(complaints("export const other = 1;", ["room/a.ts#other"])).toEqual(expected);
	});

	it("that its own file uses may be there for tests, and for nobody it may not", () => {
		const text = "export const own = 1;\nexport const used = own;";
		expect(complaints(text, ["room/a.ts#own"])).toEqual([]);
		expect(complaints(text)).toEqual(["room/a.ts#own is exported, and only its file uses it"]);
	});

	it("of a type may name what a function takes", () => {
		const text = "export interface Options {}\nexport const used = (options: Options) => options;";
		expect(complaints(text)).toEqual([]);
		expect(complaints("export interface Options {}\nexport const used = 1;")).toHaveLength(1);
	});

	it("may be excused, as long as it needs to be", () => {
		const excused = { "room/a.ts#other": "reason", "room/a.ts#used": "no reason" };
		const source = file("room/a.ts", "export const used = 1;\nexport const other = 2;");
		expect(exportComplaints([source, user], [], excused)).toEqual([
			"room/a.ts#used needs no excuse any more",
		]);
	});
});
