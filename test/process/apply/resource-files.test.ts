/** Files and folders are one whole, in which nothing stands twice. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readResources } from "../../../src/process/apply/resource-files.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-resources-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const options = { rulesPerPhase: 500 };
const at = (name: string) => join(folder, name);

it("reads a folder's files, and no others", () => {
	mkdirSync(at("good"));
	writeFileSync(at("good/b.yaml"), "edges: {e: {hostports: [a]}}");
	writeFileSync(at("good/a.json"), '{"ip_lists": {"l": {"entries": []}}}');
	writeFileSync(at("good/notes.txt"), "no");
	writeFileSync(at("good/.hidden.yaml"), "no");
	const read = readResources([at("good")], options);
	expect(read.ok && [...read.value.resources.keys()]).toEqual(["ip_list l", "edge e"]);
});

it("does not wait for a pipe in a folder", () => {
	mkdirSync(at("piped"));
	execFileSync("mkfifo", [at("piped/p.yaml")]);
	const read = readResources([at("piped")], options);
	expect(read.ok ? "" : read.error.join()).toContain("p.yaml in it is no file");
});

it("tells every file's mistakes with their places, and what stands twice", () => {
	mkdirSync(at("empty"));
	writeFileSync(at("broken.yaml"), "edges: [");
	writeFileSync(at("wrong.yaml"), "edges:\n  e: {hostpots: [a], hostports: [a]}\n");
	writeFileSync(at("twice.yaml"), "edges: {e: {hostports: [a]}}");
	writeFileSync(at("again.yaml"), "\nedges: {e: {hostports: [b]}}");
	const names = ["none", "empty", "broken.yaml", "wrong.yaml", "twice.yaml", "again.yaml"];
	const read = readResources(names.map(at), options);
	expect(read.ok ? [] : read.error.map((line) => line.replaceAll(`${folder}/`, ""))).toEqual([
		expect.stringContaining("none: error: cannot be read: there is no such file"),
		expect.stringContaining("empty: error: the folder has no .yaml"),
		expect.stringMatching(/^broken\.yaml:1:\d+: error: /),
		expect.stringContaining("wrong.yaml:2:7: /edges/e/hostpots: error: unknown field"),
		"again.yaml:2:9: error: the edge e stands at twice.yaml:1:9, too\n",
	]);
});
