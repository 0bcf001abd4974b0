// Holds deploy/kubernetes/ to the schemas of Kubernetes. They have 25 MB and want Node 22, so they are no development
// package of weir: this installs them into a temporary folder. Needs the npm registry, or npm's cache. Called by .ci/run.
// usage: node scripts/kubernetes-check.mjs        the last line is "N passed, N failed"
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseAllDocuments } from "yaml";

const SCHEMAS = "kubernetes-models@5.1.0";
const scratch = mkdtempSync(join(tmpdir(), "weir-kubernetes-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

const words = ["install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline"];
const { status, stderr } = spawnSync("npm", [...words, "--prefix", scratch, SCHEMAS], {
	encoding: "utf8",
});
if (status !== 0) {
	process.stdout.write(`${stderr}the schemas of Kubernetes can't be had\n0 passed, 1 failed\n`);
	process.exit(1);
}
const MODELS = join("node_modules", "kubernetes-models");

/** @param {string} apiVersion @param {string} kind */
async function modelOf(apiVersion, kind) {
	const url = pathToFileURL(join(scratch, MODELS, apiVersion, `${kind}.js`)).href;
	const { [kind]: Model } = await import(url);
	return Model;
}

const folder = join(import.meta.dirname, "..", "deploy", "kubernetes");
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder)) {
	for (const document of parseAllDocuments(readFileSync(join(folder, name), "utf8"))) {
		const value = document.toJS();
		const what = `${name}: ${value?.kind} ${value?.metadata?.name}`;
		try {
			if (document.errors.length > 0) throw document.errors[0];
			const Model = await modelOf(value.apiVersion, value.kind);
			new Model(value).validate();
			passed += 1;
			process.stdout.write(`ok   ${what}\n`);
		} catch (error) {
			failed += 1;
			process.stdout.write(`FAIL ${what}: ${error instanceof Error ? error.message : error}\n`);
		}
	}
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
