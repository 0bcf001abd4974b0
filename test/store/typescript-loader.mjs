// Lets a child process of a test run TypeScript sources: Node 20 can't strip types itself.
import { readFile } from "node:fs/promises";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";
import { transformWithOxc } from "vite";

if (isMainThread) register(import.meta.url);

/** @type {import("node:module").LoadHook} */
export async function load(url, context, next) {
	if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
	const path = fileURLToPath(url);
	const { code } = await transformWithOxc(await readFile(path, "utf8"), path);
	return { format: "module", source: code, shortCircuit: true };
}
