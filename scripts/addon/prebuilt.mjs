// Addons inside the package that need no compiler: where they lie, and whether one fits. Called by
// scripts/build-addon.mjs, which takes them, and by scripts/prebuild.mjs, which makes them. There is one for
// each of TARGETS at most. It fits if it was built from these very sources, is whole, and this Node loads it:
// that shows the versions of Node-API and of the C and C++ libraries to suffice.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { loads, root } from "./addon-file.mjs";

/** platform and architecture as Node names them, and the prefix of the compiler as Debian names it */
export const TARGETS = [
	{ platform: "linux", arch: "x64", toolchain: "x86_64-linux-gnu", processor: "x86_64" },
	{ platform: "linux", arch: "arm64", toolchain: "aarch64-linux-gnu", processor: "aarch64" },
];

export const folder = join(root, "prebuilds");

/** @param {string} platform @param {string} arch */
const fileFor = (platform, arch) => join(folder, `${platform}-${arch}-glibc`, "weir.node");
/** Beside it: the stamp of its sources and its own checksum, a line each. @param {string} file */
const noteOf = (file) => join(dirname(file), "weir.stamp");

/** @param {string} file */
const checksum = (file) => createHash("sha256").update(fs.readFileSync(file)).digest("hex");
/** @param {string} file @param {string} stamp */
const noteFor = (file, stamp) => `${stamp}\n${checksum(file)}\n`;

/** Musl may load what was built for glibc, and fail later. */
function hasGlibc() {
	/** @typedef {{ header: { glibcVersionRuntime?: string } }} Report */
	const report = /** @type {{ excludeNetwork?: boolean, getReport(): object }} */ (process.report);
	report.excludeNetwork = true; // it would ask for the names of addresses
	const { header } = /** @type {Report} */ (report.getReport());
	return header.glibcVersionRuntime !== undefined;
}

/** @param {string} stamp @returns {string | undefined} the file that fits this machine and these sources */
export function prebuilt(stamp) {
	const file = fileFor(process.platform, process.arch);
	if (!fs.existsSync(file) || !fs.existsSync(noteOf(file)) || !hasGlibc()) return undefined;
	const isOurs = fs.readFileSync(noteOf(file), "utf8") === noteFor(file, stamp);
	return isOurs && loads(file) ? file : undefined;
}

/**
 * Takes a built file into the package.
 * @param {string} built
 * @param {typeof TARGETS[number]} target
 * @param {string} stamp
 */
export function keep(built, { platform, arch }, stamp) {
	const file = fileFor(platform, arch);
	fs.mkdirSync(dirname(file), { recursive: true });
	fs.copyFileSync(built, file);
	fs.writeFileSync(noteOf(file), noteFor(file, stamp));
	return file;
}
