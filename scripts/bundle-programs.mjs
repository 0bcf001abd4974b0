// Bundles what runs on its own (the command, a worker, the programs of threads) to dist/programs/: a process that reads
// hundreds of small files takes a quarter of a second of processor time longer until it works. The compiler's files stay
// beside the bundle for tests, benches and scripts, which import parts of them; those that something runs become a line
// that loads the bundle. Called by scripts/build.mjs, after the compiler.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, posix, relative } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");

/** Files of dist/ that a process or a thread begins with; package.json's `files` has them too. */
export const PROGRAMS = [
	"main.js",
	"explain/explain-task.js",
	"process/worker/worker-entry.js",
	"threads/expression-task.js",
	"threads/policy-check-task.js",
];

/**
 * A module finds what stands beside it by `import.meta.url`, and does so from within the bundle as well.
 * @type {import("esbuild").Plugin}
 */
const OWN_PLACES = {
	name: "own places",
	setup(build) {
		build.onLoad({ filter: /\.js$/ }, ({ path }) => {
			const place = JSON.stringify(posix.join("..", relative(dist, path)));
			const text = readFileSync(path, "utf8");
			return {
				contents: text.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`),
			};
		});
	},
};

/** @param {string} modules the node_modules that has esbuild */
export async function bundlePrograms(modules) {
	const entry = createRequire(join(modules, "..", "package.json")).resolve("esbuild");
	/** @type {typeof import("esbuild")} */
	const { build } = await import(pathToFileURL(entry).href).then((each) => each.default ?? each);
	await build({
		absWorkingDir: root,
		entryPoints: PROGRAMS.map((name) => join(dist, name)),
		outdir: join(dist, "programs"),
		entryNames: "[name]",
		bundle: true,
		// What two programs need is in one file, and what a command needs is read by that command only.
		splitting: true,
		format: "esm",
		platform: "node",
		target: "node20.18",
		packages: "external",
		sourcemap: true,
		legalComments: "none",
		plugins: [OWN_PLACES],
		logLevel: "warning",
	});
	for (const name of PROGRAMS) {
		const file = join(dist, name);
		const text = readFileSync(file, "utf8");
		const from = posix.join(posix.relative(dirname(name), "."), "programs", basename(name));
		const bundle = JSON.stringify(from.startsWith(".") ? from : `./${from}`);
		const [shebang = ""] = /^#!.*\n/.exec(text) ?? [];
		const use = /^export default /m.test(text) ? "export { default } from" : "import";
		writeFileSync(file, `${shebang}${use} ${bundle};\n`);
		rmSync(`${file}.map`);
	}
}
