/** The house rules for `ui/`, as test/structure.test.ts has them for `src`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { packageOf, type Source, specifiers } from "../structure/imports.ts";
import {
	fileCircleComplaints,
	hasLogic,
	lengthComplaints,
	missingTargetComplaints,
	openingComplaints,
} from "../structure/rules.ts";

const root = join(import.meta.dirname, "..", "..");
const LINES_PER_FILE = 250;
const SHAPES = [
	"src/management/answers.ts",
	"src/management/live/shapes.ts",
	"src/management/fleet/fleet-answers.ts",
];

const below = (folder: string): Source[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
		.filter((path) => /\.(?:tsx?|css)$/.test(path))
		.map((path) => ({ path, text: readFileSync(join(root, folder, path), "utf8") }));

const all = below("ui");
const code = all.filter(({ path }) => !path.endsWith(".css"));
const sheets = all.filter(({ path }) => path.endsWith(".css"));

/** What has no test of its own, besides components: page.test.ts sees them in the browser. */
const SEEN_IN_THE_BROWSER = [
	"editor/policy-editor.ts",
	"editor/rule-hits.ts",
	"editor/stored-policy.ts",
	"editor/use-check.ts",
	"editor/use-policy.ts",
	"editor/use-versions.ts",
	"live/session.ts",
	"parts/now.ts",
	"parts/polling.ts",
];

it("every file opens with what it is for, and none is too long", () => {
	expect(openingComplaints(all)).toEqual([]);
	expect(lengthComplaints(code, LINES_PER_FILE)).toEqual([]);
	expect(lengthComplaints(sheets, 2 * LINES_PER_FILE)).toEqual([]);
});

it("files import files that exist, in no circle", () => {
	expect(missingTargetComplaints(code)).toEqual([]);
	expect(fileCircleComplaints(code)).toEqual([]);
});

it("of src it imports the shapes of the API's answers alone, as types", () => {
	const foreign = code.flatMap(({ path, text }) =>
		[...text.matchAll(/^import (type )?[^;]*? from "[./]*(src\/[^"]+)";$/gm)]
			.filter(([, type, target]) => type === undefined || !SHAPES.includes(target ?? ""))
			.map(([statement]) => `${path}: ${statement}`),
	);
	expect(foreign).toEqual([]);
});

it("imports packages that are development packages, so that none is installed with weir", () => {
	const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const used = code.flatMap(({ text }) => specifiers(text)).filter((each) => !each.startsWith("."));
	const types = ["@lezer/common"]; // of @lezer/highlight and @codemirror/language
	const strangers = used
		.map(packageOf)
		.filter((name) => !Object.hasOwn(devDependencies, name) && !types.includes(name));
	expect(strangers).toEqual([]);
});

it("what computes has a test, what is drawn is seen in the browser", () => {
	const tests = new Set(
		readdirSync(join(root, "test", "ui"), { recursive: true, encoding: "utf8" }),
	);
	const untested = code
		.filter(({ path, text }) => path.endsWith(".ts") && hasLogic(text))
		.map(({ path }) => path)
		.filter((path) => !tests.has(path.replace(/\.ts$/, ".test.ts")));
	expect(untested.sort()).toEqual(SEEN_IN_THE_BROWSER.toSorted());
});

it("colours stand in the tokens, and nowhere else", () => {
	const coloured = [...sheets, ...code]
		.filter(({ path }) => path !== "style/tokens.css")
		.flatMap(({ path, text }) =>
			[...text.matchAll(/#[0-9a-f]{3,8}\b(?=[;,)" ])/gi)].map(([colour]) => `${path}: ${colour}`),
		);
	expect(coloured).toEqual([]);
});

it("nothing is drawn from text that somebody else has written", () => {
	const raw = code.filter(({ text }) =>
		/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML/.test(text),
	);
	expect(raw.map(({ path }) => path)).toEqual([]);
});
