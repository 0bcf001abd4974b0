// Installs weir as its users do, and tries it: the package in an empty folder and globally, and a clone
// without development packages. Called by `npm run test:package [-- weir.tgz]` and .ci/run, after `npm install`;
// without a package it makes one. Works in a temporary folder; needs the npm registry, or npm's cache. Its last
// line is `N passed, N failed`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { environment, serves } from "./package/serving.mjs";

const root = join(import.meta.dirname, "..");
const scratch = fs.mkdtempSync(join(tmpdir(), "weir-package-"));
process.on("exit", () => fs.rmSync(scratch, { recursive: true, force: true }));
const QUIET = ["--prefer-offline", "--no-audit", "--no-fund", "--no-update-notifier"];

/** @param {string} name */
function folder(name) {
	const path = join(scratch, name);
	fs.mkdirSync(path);
	return path;
}

/**
 * @param {string} command @param {string[]} parameters @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
function run(command, parameters, cwd, env = environment) {
	return spawnSync(command, parameters, { cwd, env, encoding: "utf8", maxBuffer: 1 << 26 });
}

/**
 * @param {string} command @param {string[]} parameters @param {string} cwd
 * @returns what it printed; throws with that if it failed
 */
function succeed(command, parameters, cwd) {
	const { status, stdout, stderr } = run(command, parameters, cwd);
	assert.equal(status, 0, `${command} ${parameters.join(" ")}\n${stdout}${stderr}`);
	return { stdout, stderr };
}

/**
 * Warnings of npm that a user has to think about. Not those about npm's own settings on this machine; nor two that
 * docs/operations.md explains: the repack of the server library asks for Node 22, while its binaries run on 20 too;
 * and newer npms name each package that runs a script while it is installed, as these three do.
 * @param {string} stderr
 */
function warnings(stderr) {
	const known = [
		/Unknown \w+ config/,
		/^npm warn install-scripts( {3}(weir|lmdb|msgpackr-extract)@|$)/,
	];
	known.push(/^npm warn install-scripts (3 packages have|Run `npm install-scripts)/);
	if (process.versions.node.startsWith("20.")) known.push(/EBADENGINE/);
	const lines = stderr.split("\n").filter((line) => /^npm warn/.test(line));
	return lines.filter((line) => !known.some((pattern) => pattern.test(line)));
}

const BELONGS = [
	/^[A-Z]+(\.md)?$/,
	/^(binding\.gyp|package\.json)$/,
	/^dist\/.*\.js$/,
	/^dist\/ui\/(index\.html|licences\.txt|assets\/[\w-]+\.(js|css|svg|woff2))(\.br|\.gz)?$/,
	/^(docs|native|bench|src\/(cel|policy|upstream))\/[^/]*\.md$/,
	/^docs\/images\/\w+\.png$/,
	/^schemas\/[a-z-]+\.json$/,
	/^deploy\/[a-z]+\/[\w.-]+$/,
	/^native\/(CMakeLists\.txt|package\.json|sources\.txt)$/,
	/^native\/src\/.*\.(cc|h)$/,
	/^prebuilds\/linux-(x64|arm64)-glibc\/weir\.(node|stamp)$/,
	/^scripts\/(build-addon|addon\/[\w-]+)\.mjs$/,
];

const given = process.argv[2];
const state = { tarball: given === undefined ? "" : resolve(given), installed: "" };

/** @type {Record<string, () => unknown>} a step may return a remark */
const steps = {
	"the package holds what belongs in it": () => {
		if (state.tarball === "") {
			const { stdout } = succeed("npm", ["pack", "--json", "--pack-destination", scratch], root);
			// Scripts print before the list.
			const [{ filename }] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)));
			state.tarball = join(scratch, filename);
		}
		const { stdout } = succeed("tar", ["-tzf", state.tarball], scratch);
		const names = stdout
			.trimEnd()
			.split("\n")
			.map((name) => name.replace(/^package\//, ""));
		const needed = ["LICENSE", "NOTICE", "README.md", "docs/operations.md", "dist/main.js"];
		needed.push("dist/programs/main.js", "dist/process/worker/worker-entry.js");
		needed.push("dist/ui/index.html", "dist/ui/index.html.br", "dist/ui/licences.txt");
		needed.push("native/src/binding/module.cc", "binding.gyp", "scripts/build-addon.mjs");
		for (const name of needed) assert.ok(names.includes(name), `${name} is missing`);
		assert.deepEqual(
			names.filter((name) => !BELONGS.some((pattern) => pattern.test(name))),
			[],
		);
	},
	"it installs in an empty folder, without warnings": () => {
		const at = folder("local");
		state.installed = at;
		succeed("npm", ["init", "-y"], at);
		const { stderr } = succeed("npm", ["install", "--omit=dev", ...QUIET, state.tarball], at);
		assert.deepEqual(warnings(stderr), []);
	},
	"npx weir answers --version and --help": () => {
		const { version } = JSON.parse(fs.readFileSync(join(root, "package.json"), "utf8"));
		const told = succeed("npx", ["--no-install", "weir", "--version"], state.installed);
		assert.equal(told.stdout.trim(), version);
		assert.match(
			succeed("npx", ["--no-install", "weir", "--help"], state.installed).stdout,
			/serve/,
		);
	},
	"it serves": () =>
		serves(join(state.installed, "node_modules", ".bin", "weir"), [], state.installed),
	"it installs globally": () => {
		const prefix = folder("global");
		succeed("npm", ["install", "--global", "--prefix", prefix, ...QUIET, state.tarball], scratch);
		assert.match(succeed(join(prefix, "bin", "weir"), ["--help"], scratch).stdout, /serve/);
	},
	"without a compiler and an addon that fits, one sentence says what to install": () => {
		const weir = join(state.installed, "node_modules", "weir");
		fs.rmSync(join(weir, "build"), { recursive: true });
		const env = { ...environment, PATH: "/nonexistent", WEIR_BUILD_FROM_SOURCE: "1" };
		const { status, stderr } = run(process.execPath, ["scripts/build-addon.mjs"], weir, env);
		assert.equal(status, 1);
		assert.match(
			stderr,
			/^weir: the native addon needs .*apt-get install .*dnf .*apk .*brew .*\n$/,
		);
	},
	"an addon of other sources, or a damaged one, is not taken": () => {
		const weir = join(state.installed, "node_modules", "weir");
		const file = join(weir, "prebuilds", `${process.platform}-${process.arch}-glibc`, "weir.node");
		if (!fs.existsSync(file)) return "skipped: the package has none for this machine";
		const env = { ...environment, PATH: "/nonexistent" };
		const install = () => run(process.execPath, ["scripts/build-addon.mjs"], weir, env);
		/** @param {string} place @param {(before: Buffer) => string | Buffer} change */
		const refuses = (place, change) => {
			const before = fs.readFileSync(place);
			fs.writeFileSync(place, change(before));
			assert.match(install().stderr, /needs a C\+\+20 compiler/, place);
			fs.writeFileSync(place, before);
		};
		refuses(join(weir, "native", "src", "boot_clock.cc"), (text) => `${text}\n`);
		refuses(file, (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]));
		const { status, stderr } = install();
		assert.deepEqual([status, stderr], [0, ""]);
		assert.deepEqual(fs.readFileSync(join(weir, "build", "weir.node")), fs.readFileSync(file));
		return undefined;
	},
	"npm install --omit=dev works in a clone, and npm ci takes the lock file": async () => {
		const at = folder("clone");
		// What is not there in a clone, and what installing does not need.
		const absent = /^(node_modules|build|dist|prebuilds|weir-data|coverage|\.git|test|bench)$/;
		const names = fs.readdirSync(root).filter((name) => !absent.test(name));
		for (const name of names) fs.cpSync(join(root, name), join(at, name), { recursive: true });
		// Compiling the addon is what `npm install` did before this.
		for (const name of ["weir.node", "weir.stamp"]) {
			fs.cpSync(join(root, "build", name), join(at, "build", name));
		}
		const { stderr } = succeed("npm", ["install", "--omit=dev", ...QUIET], at);
		assert.deepEqual(warnings(stderr), []);
		assert.ok(!fs.existsSync(join(at, "node_modules", "typescript")));
		await serves(process.execPath, ["dist/main.js"], at);
		for (const platform of ["linux", "darwin"]) {
			const dry = ["ci", "--dry-run", "--ignore-scripts", `--os=${platform}`, "--cpu=arm64"];
			succeed("npm", [...dry, ...QUIET], at);
		}
	},
};

let passed = 0;
let failed = 0;
for (const [name, step] of Object.entries(steps)) {
	const began = performance.now();
	try {
		const remark = await step();
		passed++;
		const seconds = ((performance.now() - began) / 1000).toFixed(1);
		console.log(`ok      ${name} (${remark ?? `${seconds} s`})`);
	} catch (error) {
		failed++;
		console.log(`NOT OK  ${name}: ${error instanceof Error ? error.message : error}`);
	}
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
