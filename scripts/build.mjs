// Compiles src/ to dist/ from scratch, so that no file of an earlier build is ever run, bundles what of it runs on its own
// to dist/programs/, and ui/ to dist/ui/. Called by `npm run build`, and by npm itself after an installation in a clone and
// before a package is made.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundlePrograms } from "./bundle-programs.mjs";
import { withCompiler } from "./compiler.mjs";
import { buildPage } from "./page/build-page.mjs";

const root = join(import.meta.dirname, "..");

try {
	await withCompiler(async (tsc, modules, fetched) => {
		rmSync(join(root, "dist"), { recursive: true, force: true });
		// What is emitted for a file depends on that file alone (isolatedModules), so unchecked it is the same.
		const parameters = ["-p", "tsconfig.json", ...(fetched ? ["--noCheck", "--types", ""] : [])];
		const result = spawnSync(process.execPath, [tsc, ...parameters], {
			cwd: root,
			stdio: "inherit",
		});
		process.exitCode = result.status ?? 1;
		if (process.exitCode !== 0) return;
		await bundlePrograms(modules);
		await buildPage(modules);
	});
	if (process.exitCode === 0) chmodSync(join(root, "dist", "main.js"), 0o755);
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
