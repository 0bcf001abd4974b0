// The built addon: where it lies, what it was built from, whether this Node takes it. Called by
// scripts/build-addon.mjs, scripts/prebuild.mjs and their parts in this folder.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");
const require = createRequire(import.meta.url);
/** The place where src/native-addon.ts looks. */
const addon = join(root, "build", "weir.node");
const stampFile = join(root, "build", "weir.stamp");

/** For mistakes that the reader can mend: one sentence, no stack. @param {string} sentence @returns {never} */
export function stop(sentence) {
	console.error(`weir: ${sentence}`);
	process.exit(1);
}

/**
 * Everything that the built file depends on; the same text means the same addon.
 * @param {string} platform
 * @param {string} arch
 */
export function stamp(platform = process.platform, arch = process.arch) {
	const hash = createHash("sha256");
	const files = ["binding.gyp", "scripts/addon/compile.mjs", "native/CMakeLists.txt"];
	files.push("native/package.json", "native/sources.txt");
	const sources = fs.readdirSync(join(root, "native", "src"), {
		encoding: "utf8",
		recursive: true,
	});
	for (const name of sources.sort()) {
		if (/\.(?:cc|h)$/.test(name)) files.push(`native/src/${name}`);
	}
	for (const file of files) {
		const content = fs.readFileSync(join(root, file));
		hash.update(`${file} ${content.length}\n`).update(content);
	}
	hash.update(`${platform} ${arch}`);
	for (const name of ["node-api-headers", "node-addon-api"]) {
		hash.update(` ${name} ${require(`${name}/package.json`).version}`);
	}
	return hash.digest("hex");
}

/**
 * True if this Node can load the file; in a process of its own, since a bad addon may crash it.
 * @param {string} file
 */
export function loads(file) {
	const program = "process.exit(typeof require(process.argv[1]).admit === 'function' ? 0 : 1)";
	const result = spawnSync(process.execPath, ["-e", program, file], { stdio: "ignore" });
	return result.status === 0;
}

/** @param {string} wanted the stamp */
export function isUpToDate(wanted) {
	if (!fs.existsSync(stampFile) || !fs.existsSync(addon)) return false;
	// Loading it too finds a file built for another C library or damaged on its way here.
	return fs.readFileSync(stampFile, "utf8") === wanted && loads(addon);
}

/**
 * Puts a built file in its place. By rename: a server that runs now keeps the file that it has mapped.
 * @param {string} built
 * @param {string} wanted the stamp
 */
export function put(built, wanted) {
	fs.mkdirSync(join(root, "build"), { recursive: true });
	fs.rmSync(stampFile, { force: true });
	fs.copyFileSync(built, `${addon}.new`);
	fs.renameSync(`${addon}.new`, addon);
	fs.writeFileSync(stampFile, wanted);
}
