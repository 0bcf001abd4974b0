// Bundles ui/, the live page, to dist/ui/: names with hashes, each file beside its compressed forms, and the
// licences of what is bundled. Called by scripts/build.mjs.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..", "..");
const from = join(root, "ui");
const to = join(root, "dist", "ui");

/** What compresses further; fonts are compressed already. */
const TEXT = /\.(?:js|css|html|svg|txt)$/;
/** Browsers of the last two years: `light-dark()`, `adoptedStyleSheets`. */
const BROWSERS = ["chrome123", "firefox121", "safari17.5"];

/**
 * The licence texts of all packages that a bundle holds, as their licences ask for.
 * @param {Record<string, object>} inputs esbuild's list of files
 * @param {string} modules
 */
function licences(inputs, modules) {
	const names = new Set();
	for (const path of Object.keys(inputs)) {
		const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
		if (name !== undefined) names.add(name);
	}
	return [...names]
		.sort()
		.map((name) => {
			const folder = join(modules, name);
			const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
			const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8");
			const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
			return `${name} ${version} (${license})\n\n${text.trim()}\n`;
		})
		.join(`\n${"-".repeat(72)}\n\n`);
}

/** @param {string} path */
function compress(path) {
	const bytes = readFileSync(path);
	const options = {
		[constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
		[constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
	};
	writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: options }));
	writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

/**
 * @param {string} path in dist/ui/, without a hash
 * @param {Buffer} bytes
 * @returns the name that was written
 */
function hashed(path, bytes) {
	const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 8);
	const name = path.replace(/(\.\w+)$/, `-${hash.replace(/[-_]/g, "x").toUpperCase()}$1`);
	writeFileSync(join(to, name), bytes);
	return name;
}

/** @param {string} modules the node_modules that has esbuild and what ui/ imports */
export async function buildPage(modules) {
	const entry = createRequire(join(modules, "..", "package.json")).resolve("esbuild");
	/** @type {typeof import("esbuild")} */
	const { build } = await import(pathToFileURL(entry).href).then((each) => each.default ?? each);
	mkdirSync(join(to, "assets"), { recursive: true });
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: { page: join(from, "main.tsx"), style: join(from, "style", "style.css") },
		outdir: join(to, "assets"),
		entryNames: "[name]-[hash]",
		chunkNames: "[name]-[hash]",
		assetNames: "[name]-[hash]",
		bundle: true,
		splitting: true,
		format: "esm",
		minify: true,
		target: BROWSERS,
		jsx: "automatic",
		jsxImportSource: "preact",
		nodePaths: [modules],
		loader: { ".woff2": "file" },
		legalComments: "none",
		metafile: true,
		logLevel: "warning",
	});
	/** @param {RegExp} name */
	const output = (name) => {
		const found = Object.keys(metafile.outputs).find((path) => name.test(path));
		if (found === undefined) throw new Error(`esbuild wrote no file like ${name}`);
		return found.replace(/^.*dist\/ui\//, "");
	};
	const icon = hashed("assets/icon.svg", readFileSync(join(from, "icon.svg")));
	const html = readFileSync(join(from, "index.html"), "utf8")
		.replace("{page}", output(/\/page-\w+\.js$/))
		.replace("{style}", output(/\/style-\w+\.css$/))
		.replace("{font}", output(/\/ibm-plex-sans-latin-400-normal-\w+\.woff2$/))
		.replace("{icon}", icon);
	writeFileSync(join(to, "index.html"), html);
	writeFileSync(join(to, "licences.txt"), licences(metafile.inputs, modules));
	for (const path of readdirSync(to, { recursive: true, encoding: "utf8" })) {
		if (TEXT.test(path)) compress(join(to, path));
	}
}
