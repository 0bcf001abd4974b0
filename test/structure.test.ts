/**
 * The house rules, applied to the project: which room may import which, which file may import which library, what is
 * pure, that every file introduces itself and has its test, that every export, metric and bound has a use, and that comments
 * name files and papers that are there.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../src/limits/limits.ts";
import { METRIC_FAMILIES } from "../src/telemetry/metric-families.ts";
import {
	fileNameComplaints,
	paperComplaints,
	reasonComplaints,
	Tree,
	userComplaints,
} from "./structure/citations.ts";
import { exportComplaints, importedNames } from "./structure/exports.ts";
import type { Source } from "./structure/imports.ts";
import {
	directionComplaints,
	fileCircleComplaints,
	foldingComplaints,
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
} from "./structure/rules.ts";

const root = join(import.meta.dirname, "..");
const LINES_PER_FILE = 250;

/** Files with logic and no test of their own; the reason says what tests them instead. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
	...Object.fromEntries(
		[
			"api",
			"begin-at",
			"connect",
			"link",
			"members",
			"nats-log",
			"records",
			"snapshots",
			"subscriptions",
		].map((name) => [
			`fleet/log/nats/${name}.ts`,
			"talks to real servers: test/fleet/engines, in `npm run test:fleet`",
		]),
	),
	"fleet/log/nats/setup.ts":
		"talks to real servers: test/fleet/engines/setup.test.ts, in `npm run test:fleet`",
	"fleet/log/log.ts": "an interface and an error; test/fleet/log/suite judges what implements it",
	...Object.fromEntries(
		[
			"candidate-counts",
			"candidate-run",
			"candidates",
			"compare",
			"route-candidate",
			"shadow-exchange",
		].map((name) => [
			`edge/candidates/${name}.ts`,
			"test/e2e/candidates has random candidates beside random policies on a real server",
		]),
	),
	"management/openapi-candidates.ts": "test/e2e/openapi calls all that it describes",
	"management/resources/candidates.ts": "test/e2e/candidates and test/e2e/openapi",
	"main.ts": "the command line, run as a process by test/e2e",
	"process/supervisor/serve.ts": "the supervisor as a process, test/e2e/processes",
	"process/supervisor/reload.ts":
		"test/e2e/signals and test/e2e/certificate-expiry reload real servers",
	"process/worker/worker.ts": "a worker as a process, test/e2e/processes",
	"process/supervisor/worker-handle.ts": "test/e2e/processes kills, stops and drains real ones",
	"process/supervisor/worker-set.ts":
		"test/e2e/processes publishes to, reloads and stops real ones",
	"process/log/passing-log.ts": "a base; test/process/log/split-log and replaceable-log hold it",
	"process/demo/demo.ts": "test/e2e/command-line pastes its lines",
	"process/supervisor/first-api-key.ts": "test/e2e/command-line starts without a key",
	"process/commands/keys-command.ts": "test/e2e/command-line runs it beside a server",
	"process/control/protocol.ts": "a schema; test/process/control/server sends it good and bad",
	"process/handover/reason.ts":
		"writes to a descriptor of a started process; test/e2e/upgrades reads what came of it",
	"process/supervisor/estate.ts": "what a real supervisor hands over, test/e2e/upgrades",
	"process/supervisor/running-server.ts": "signals and ends of real servers, test/e2e/signals",
	"process/commands/upgrade-command.ts": "test/e2e/upgrades runs it beside a server",
	"process/commands/check-command.ts": "test/e2e/check runs it",
	"process/commands/test-command.ts": "test/e2e/check runs it, also while files change",
	"process/commands/agreement.ts":
		"test/e2e/versions and test/e2e/apply can't be asked, and say so",
	"process/commands/rollback-command.ts": "test/e2e/versions runs it against a server",
	"process/commands/diff-versions.ts": "test/e2e/versions runs it against a server",
	"process/commands/apply-command.ts": "test/e2e/apply runs it against a server",
	"process/commands/export-command.ts": "test/e2e/apply runs it against a server",
	"process/commands/diff-command.ts": "test/e2e/apply runs it against a server",
	"process/apply/step.ts": "a shape and its maker; test/process/apply/plan makes all kinds",
	"process/apply/claims.ts": "test/process/apply/plan orders by them",
	"management/resources-schema.ts": "test/management/document-schemas holds it to the server",
	"process/commands/replay-command.ts": "test/e2e/replay runs it",
	"process/replay/run-replay.ts": "test/e2e/replay runs it",
	...Object.fromEntries(
		[
			...["changes", "listeners", "log-entry", "logged-head", "logged-values", "read-line"],
			...["replay-error", "replayed-exchange", "shapes", "simulation"],
		].map((part) => [`replay/${part}.ts`, "test/replay/replay runs it"]),
	),
	"process/commands/backup-command.ts": "test/e2e/backup runs it beside a server",
	"process/commands/restore-command.ts": "test/e2e/backup runs it, and kills it",
	"process/check/check-config.ts":
		"test/e2e/check and test/process/check/check-files have it judge files",
	"process/check/checked-file.ts":
		"a shape and two shorthands; test/process/check/report reads them",
	"config-fleet.ts": "a schema; test/process/config/fleet-settings sees what it takes",
	...Object.fromEntries(
		[
			...["commands/fleet-asked", "commands/fleet-command", "commands/fleet-stopped"],
			...["commands/fleet-stored", "fleet/begin-fleet", "fleet/engine-settings"],
			...["fleet/fleet-member", "fleet/join-fleet", "fleet/open-fleet", "fleet/stopped-store"],
			"supervisor/membership",
		].map((name) => [
			`process/${name}.ts`,
			"test/fleet/machines/life and test/fleet/machines/refusals run it over real engines",
		]),
	),
	"process/commands/commands.ts": "a table; test/process/commands/command-line reads all of it",
	"process/config/config-mistakes.ts": "test/process/config/load-config sees each mistake",
	"edge/access/request-end.ts": "fields; test/e2e/access-log sees each of them in a line",
	"edge/edge-parts.ts": "with edge.ts",
	"edge/edge.ts": "every edge that test/edge/harness starts; draining in test/edge/server",
	"edge/pipeline.ts": "a request's whole way, test/edge/policies and proxying",
	"edge/request/client-body.ts":
		"works on a live socket: test/edge/streaming, slow/idle-timeouts and chaos",
	"store/resource-writes.ts": "test/store/writes and the others about the store's writes call it",
	"fleet/changes.ts": "test/fleet/store-state and staging read what records have changed",
	"fleet/decide.ts": "test/fleet/store-state compares what is decided with what commits make",
	"fleet/difference.ts": "test/fleet/staging makes one state another",
	"fleet/held-entries.ts": "test/fleet/staging reads snapshots while others write",
	"fleet/record-form.ts": "test/fleet/record-codec sees each fault that makes a record void",
	"fleet/replay.ts": "test/fleet/store-state compares its end with that of commits",
	"fleet/step.ts": "test/fleet/store-state takes records that fit and others",
	"cel/values/kept.ts": "two classes of fields; test/cel/values/derived fills them in",
	"cel/values/value.ts": "classes of a field or two; test/cel/values works with all of them",
	"cel/lower/assemble.ts": "every expression that a test compiles; its folding in lower/open",
	"cel/lower/literals.ts": "test/cel/lower/constants, membership and calls",
	"cel/lower/lower.ts": "a switch over the kinds of nodes; test/cel/conformance comes to each",
	"cel/lower/lowered.ts": "test/cel/lower/arithmetic sees ints in both forms",
	"cel/lower/runtime.ts": "what code calls; test/cel/lower and test/cel/differential",
	...Object.fromEntries(
		[
			..."bits chance extremes logic-operators look-ups".split(" "),
			..."sizes string-tests".split(" "),
		].map((family) => [
			`cel/library/${family}.ts`,
			"test/cel/library/table holds its promises, test/cel/documentation evaluates its examples",
		]),
	),
	"cel/library/operator-failures.ts": "test/cel/library/operators asks about every rule",
	"cel/cost/estimates.ts": "test/cel/cost/functions sees each one at work",
	"cel/library/list-changes.ts": "test/cel/library/lists",
	"cel/library/converters.ts": "test/cel/library/conversions",
	"cel/variables/definition.ts": "types and shorthands of rows; test/cel/variables/table",
	"cel/variables/sizes.ts": "test/cel/cost/input-sizes sees every variable's",
	...Object.fromEntries(
		["connection", "request", "request-headers", "response", "results"].map((rows) => [
			`cel/variables/${rows}.ts`,
			"rows of a table; test/cel/documentation evaluates each one",
		]),
	),
	"documents/text.ts": "test/documents/json and test/documents/yaml see each fault that it tells",
	"documents/yaml-values.ts": "test/documents/yaml reads every kind of node",
	"cel/trace/record.ts": "test/cel/trace/trace sees every note that it takes",
	...Object.fromEntries(
		[
			"asked-limits",
			"cost-class",
			"costing-compiler",
			"traced-action",
			"traced-rule",
			"tracer",
		].map((part) => [`policy/trace/${part}.ts`, "test/policy/trace/traced-policy runs it"]),
	),
	...Object.fromEntries(
		["explain-services", "explain-task", "explained-exchange", "explained-response", "shapes"].map(
			(part) => [`explain/${part}.ts`, "test/explain/explain runs it"],
		),
	),
	"explain/backend-answer.ts": "test/explain/explain and test/e2e/explain-live run it",
	"explain/live/seen-question.ts": "test/e2e/explain-live asks it about every request",
	"explain/live/token-schemas.ts": "test/e2e/explain-live and test/e2e/openapi send good and bad",
	"management/resources/explain-tokens.ts": "test/e2e/explain-live and test/e2e/openapi ask it",
	"process/commands/explain-live.ts": "test/e2e/explain-live runs it",
	"explain/explainer.ts": "test/e2e/explain asks a real server, whose thread it is",
	"management/resources/explain.ts": "test/e2e/explain and test/e2e/openapi ask a real server",
	"management/resources/decisions.ts": "test/e2e/explain and test/e2e/openapi ask a real server",
	"process/commands/why-command.ts": "test/e2e/explain runs it",
	"process/commands/explain-command.ts": "test/e2e/explain runs it",
	"process/explain/curl-options.ts": "a table; test/process/explain/curl-line reads it",
	"process/explain/render-rules.ts": "with process/explain/render.ts",
	"threads/policy-check-task.ts": "what a thread runs; test/threads/policy-checker starts it",
	"management/http/public-paths.ts": "test/management/http/admission and test/management/ui",
	"management/live/overview.ts": "test/management/live/feed reads the events that it makes",
	"management/live/live-api.ts": "test/management/resources/live asks all of it",
	"management/fleet/fleet-notes.ts":
		"two fields; test/management/fleet/fleet-door sees them filled",
	"management/openapi-live.ts": "a part of a document; test/management/openapi and routes read it",
	"management/ui/ui-files.ts": "test/management/ui/ui-pages serves a folder of them",
	"process/supervisor/live-page.ts": "puts parts together; test/e2e/live asks the whole",
	"process/worker/beat.ts": "test/e2e/standing-still stops a worker",
	...Object.fromEntries(
		["agreement", "applier", "audit", "batch-write", "catch-up", "lost", "resync"].map((part) => [
			`fleet/${part}.ts`,
			"test/fleet/model judges schedules of them all; test/fleet/fleet-queue and follower each way",
		]),
	),
	"fleet/fleet-error.ts": "a code and a sentence; test/fleet/fleet-queue reads both",
	"fleet/heal.ts": "test/fleet/follower loses a log's end; test/fleet/model at every moment",
	"fleet/protocol.ts": "puts parts together; test/fleet/rig.ts runs it for all their tests",
	"fleet/standing.ts": "three fields; test/fleet/follower reads them",
	"fleet/turns.ts": "test/fleet/fleet-queue closes it; test/fleet/model has all wait in it",
	"fleet/write-level.ts": "test/fleet/fleet-queue writes what a member does not understand",
	"fleet/write-refusal.ts": "test/fleet/fleet-queue writes where nothing may be written",
	"errors.ts": "three constructors; every test of a failure reads them",
};

/** Files that change the case of more than ASCII letters, or look as if they did. */
const FOLDS_CASE: Readonly<Record<string, string>> = {
	"ascii.ts": "the language's functions on ASCII",
	"cel/library/format.ts": "digits",
	"cel/library/string-changes.ts": "what is ASCII; other text in its own way",
	"cel/parse/lexer.ts": "prefixes of literals",
	"cel/pattern/syntax.ts": "names of classes",
	"cel/values/time-zone.ts": "names of zones",
	"cel/check/old-names.ts": "suggestions",
};

/** Exports without a user in src. */
const EXPORTED_FOR_OTHERS: Readonly<Record<string, string>> = {
	"fleet/log/memory-log.ts#MemoryLog": "the log of tests of a fleet",
	"policy/rules/compile.ts#compilePolicy": "a whole policy in one go, for benches and tests",
	"documents/level.ts#since": "elements of schemas that come with a later level",
	"management/live/shapes.ts#RefusalReason": "the live page",
	"management/live/shapes.ts#CandidateReport": "the live page",
	"management/live/shapes.ts#Explanation": "the live page",
	"management/live/shapes.ts#ExplainedRule": "the live page",
	"replay/shapes.ts#replayDocumentSchema": "scripts/docs/schemas.mjs writes it down",
	"policy/lint/warnings.ts#WARNINGS": "docs/actions.md lists each",
};

/** Files of libraries that comments and papers may name, made-up files in examples, and groups of variables. */
const FOREIGN_FILES = [
	...["libusockets.h", "node_api.h"],
	...["src/a/b.ts", "test/a/b.test.ts"],
	...["conn.ts", "req.ts"],
];

/** What is made or brought along, as in .gitignore: folders, and files by their end. */
const NOT_OURS = /^(?:node_modules|dist|build.*|prebuilds|coverage|weir-data|\.git)$/;
const MADE = /(?:^\.git|\.(?:log|tgz|tsbuildinfo))$/;

/** All files below a directory, relative to it, with `/`. */
function walk(directory: string, prefix = ""): string[] {
	return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
		const path = `${prefix}${entry.name}`;
		if (entry.isFile()) return MADE.test(entry.name) ? [] : [path];
		if (!entry.isDirectory() || NOT_OURS.test(entry.name)) return [];
		return walk(join(directory, entry.name), `${path}/`);
	});
}

const load = (directory: string, paths: readonly string[]): Source[] =>
	paths.map((path) => ({ path, text: readFileSync(join(directory, path), "utf8") }));

const sources = load(
	join(root, "src"),
	walk(join(root, "src")).filter((path) => path.endsWith(".ts")),
);
const tests = walk(join(root, "test")).filter((path) => path.endsWith(".ts"));

describe("src", () => {
	it("is there", () => {
		expect(sources.length).toBeGreaterThan(20);
	});
	it("imports in one direction", () => {
		expect(directionComplaints(sources)).toEqual([]);
	});
	it("has no circle of rooms", () => {
		expect(roomCycleComplaints(sources)).toEqual([]);
	});
	it("has no circle of files, for types neither", () => {
		expect(fileCircleComplaints(sources)).toEqual([]);
	});
	it("exports what src uses", () => {
		const others = ["test", "bench", "scripts"].flatMap((folder) =>
			load(
				root,
				walk(join(root, folder), `${folder}/`).filter((path) => /\.(?:ts|mjs)$/.test(path)),
			),
		);
		const imported = others
			.flatMap(importedNames)
			.map((name) => name.replace(/^(?:src|dist)\//, "").replace(".js#", ".ts#"));
		expect(exportComplaints(sources, imported, EXPORTED_FOR_OTHERS)).toEqual([]);
	});
	it("counts every metric that the table has", () => {
		const others = sources.filter(({ path }) => path !== "telemetry/metric-families.ts");
		expect(unusedNames(Object.keys(METRIC_FAMILIES), others)).toEqual([]);
	});
	it("reads every bound that the table has", () => {
		expect(unusedNames(Object.keys(LIMITS), sources, "LIMITS.")).toEqual([]);
	});
	it("imports files that exist", () => {
		expect(missingTargetComplaints(sources)).toEqual([]);
	});
	it("imports each big library in one file", () => {
		expect(libraryComplaints(sources)).toEqual([]);
	});
	it("does no I/O and reads no clock in cel and policy", () => {
		expect(purityComplaints(sources)).toEqual([]);
	});
	it("has no file without an introduction", () => {
		expect(openingComplaints(sources)).toEqual([]);
	});
	it("has no file that is too long, and test has none either", () => {
		expect(lengthComplaints(sources, LINES_PER_FILE)).toEqual([]);
		expect(lengthComplaints(load(join(root, "test"), tests), 2 * LINES_PER_FILE)).toEqual([]);
	});
	it("knows the case of ASCII letters only", () => {
		expect(foldingComplaints(sources, FOLDS_CASE)).toEqual([]);
	});
	it("has a test for every file with logic", () => {
		expect(untestedComplaints(sources, tests, TESTED_ELSEWHERE)).toEqual([]);
	});
});

describe("comments", () => {
	const paths = walk(root);
	const tree = new Tree(paths);
	const files = load(
		root,
		paths.filter((path) => /^(?:src|native|test|bench|scripts)\/.*\.(?:ts|mjs|cc|h)$/.test(path)),
	);

	const papers = load(
		root,
		paths.filter((path) => path.endsWith(".md")),
	);

	it("name files that are there", () => {
		expect(fileNameComplaints(files, tree, FOREIGN_FILES)).toEqual([]);
	});
	it("and papers in backticks name files that are there", () => {
		expect(fileNameComplaints(papers, tree, FOREIGN_FILES)).toEqual([]);
	});
	it("and reasons for excuses name files that are there", () => {
		for (const excused of [TESTED_ELSEWHERE, FOLDS_CASE, EXPORTED_FOR_OTHERS])
			expect(reasonComplaints(excused, tree)).toEqual([]);
	});
	it("name users of a file that import it", () => {
		expect(userComplaints(files, tree)).toEqual([]);
	});
	it("cite papers of the project and what stands in them", () => {
		const texts = new Map(papers.map(({ path, text }) => [path, text]));
		expect(paperComplaints(files, tree, texts)).toEqual([]);
	});
});

describe("native", () => {
	it("builds every source file, by either tool from the same list", () => {
		const listed = readFileSync(join(root, "native", "sources.txt"), "utf8")
			.trim()
			.split("\n");
		const present = walk(join(root, "native"))
			.filter((path) => /^src\/.*\.cc$/.test(path))
			.sort();
		expect(listed.toSorted()).toEqual(present);
		for (const build of ["binding.gyp", "native/CMakeLists.txt"]) {
			expect(readFileSync(join(root, build), "utf8")).toContain("sources.txt");
		}
	});

	it("uses Node-API in one folder", () => {
		const native = load(join(root, "native", "src"), walk(join(root, "native", "src")));
		expect(nodeApiComplaints(native, "binding/")).toEqual([]);
	});
});

it("the project speaks of itself alone", () => {
	// In pieces, so that this file does not say them.
	const words = [
		["/wo", "rk/"],
		["/tmp/br", "ief"],
		["clau", "de\\b"],
		["anthro", "pic"],
		["language ", "model"],
		["as an a", "i\\b"],
		["co-authored", "-by"],
		["\\bissue ", "#?\\d+\\b"],
		["\\bthis ses", "sion\\b"],
	].map((pieces) => new RegExp(pieces.join(""), "i"));
	// Others wrote what the lock file names.
	const files = load(
		root,
		walk(root).filter((path) => path !== "package-lock.json"),
	).filter(({ text }) => isText(text));
	expect(files.map(({ path }) => path)).toEqual(
		expect.arrayContaining(["NOTICE", "LICENSE", ".editorconfig", "native/fuzz/.gitattributes"]),
	);
	expect(wordComplaints(files, words)).toEqual([]);
});
