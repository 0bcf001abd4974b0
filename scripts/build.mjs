// Compiles src/ to dist/ from scratch, so that no file of an earlier build is ever run.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

rmSync(join(root, "dist"), { recursive: true, force: true });
const result = spawnSync(process.execPath, [compiler, "-p", "tsconfig.json"], {
	cwd: root,
	stdio: "inherit",
});
if (result.status !== 0) process.exit(result.status ?? 1);
chmodSync(join(root, "dist", "main.js"), 0o755);
