/** Several files in one command: each is taken for what it is, policies are judged beside the config, nothing is made. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { checkFiles } from "../../../src/process/check/check-files.ts";
import { type CheckedFile, errorsOf, type Kind } from "../../../src/process/check/checked-file.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-check-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = "listen: 127.0.0.1:0\nmanagement: 127.0.0.1:0\nlimits: {rules: 501}\n";
const RULES = `inbound:\n${"- actions: [{type: deny}]\n".repeat(501)}`;

function write(files: Readonly<Record<string, string>>): void {
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

async function check(names: readonly string[], as?: Kind): Promise<readonly CheckedFile[]> {
	const options = { environment: {}, workingDirectory: folder, ...(as && { as }) };
	const checked = await checkFiles(
		names.map((name) => join(folder, name)),
		options,
	);
	if (!checked.ok) throw new Error(checked.error);
	return checked.value;
}
const errors = (files: readonly CheckedFile[]): string[] =>
	files.flatMap((file) => errorsOf(file).map(({ message }) => message));

it("takes each file for what it is, in order, and makes nothing", async () => {
	write({
		"weir.yaml": CONFIG,
		"p.json": '{"inbound": []}',
		"w.json": '{"module": {}}',
		"p.yaml": "outbound: []",
		"v.json": '{"enabled": false, "value": "inbound: []"}',
	});
	const before = readdirSync(folder);
	const files = await check(["p.json", "weir.yaml", "w.json", "p.yaml", "v.json"]);
	expect(files.map(({ kind, wrapper }) => [kind, wrapper])).toEqual([
		["policy", undefined],
		["config", undefined],
		["policy", "module"],
		["policy", undefined],
		["policy", "value"],
	]);
	expect(errors(files)).toEqual([]);
	expect(files[1]?.findings).toMatchObject([
		{ severity: "warning", message: expect.stringMatching(/^there is no store in \S+weir-data;/) },
	]);
	expect(readdirSync(folder)).toEqual(before);
});

it("judges policies by the config's limits, whichever stands first", async () => {
	write({ "weir.yaml": CONFIG, "rules.yaml": RULES });
	expect(errors(await check(["rules.yaml"]))).toHaveLength(1);
	for (const names of [
		["rules.yaml", "weir.yaml"],
		["weir.yaml", "rules.yaml"],
	])
		expect(errors(await check(names))).toEqual([]);
	// What is wrong beyond the fields leaves the limits as they are.
	write({ "weir.yaml": `${CONFIG}geo: {database: missing}\n` });
	expect(errors(await check(["weir.yaml", "rules.yaml"]))).toHaveLength(1);
	write({ "weir.yaml": `${CONFIG}gio: {}\n` });
	const [, rules] = await check(["weir.yaml", "rules.yaml"]);
	expect(rules?.findings.map(({ severity }) => severity)).toEqual(["warning", "error"]);
	expect(rules?.findings[0]?.message).toMatch(/^judged by the default bounds, as \S+weir\.yaml/);
});

it("does not choose between two config files", async () => {
	write({ "a.yaml": CONFIG, "b.yaml": CONFIG, "p.yaml": "inbound: []" });
	await expect(check(["a.yaml", "b.yaml", "p.yaml"])).rejects.toThrow(/these are 2: .*a\.yaml/);
	expect(errors(await check(["a.yaml", "b.yaml"]))).toEqual([]);
});

it("takes a file for what it is told", async () => {
	write({ empty: "", "e.json": "{}", "p.yaml": "inbound: []" });
	expect(await check(["empty", "e.json"])).toMatchObject([
		{ kind: undefined },
		{ kind: undefined },
	]);
	expect(errors(await check(["e.json"], "policy"))).toEqual([]);
	const [config] = await check(["p.yaml"], "config");
	expect(config).toMatchObject({ kind: "config", findings: [{ pointer: "/inbound" }] });
});

it("goes on after a file that can't be read or is torn", async () => {
	write({ "torn.json": '{"inbound": [', "p.yaml": "inbound: []" });
	mkdirSync(join(folder, "sub"), { recursive: true });
	const files = await check(["missing.yaml", "sub", "torn.json", "p.yaml"]);
	expect(files.map((file) => errorsOf(file).length)).toEqual([1, 1, 1, 0]);
	expect(files[2]?.findings[0]?.position).toEqual({ line: 1, column: 14 });
});
