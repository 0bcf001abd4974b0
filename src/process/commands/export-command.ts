/** `weir export` (contract 1): writes what a server holds as a file that `weir apply` takes. Called by `main.ts`. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { readDocument } from "../../documents/read-document.ts";
import { canonical, yamlText, yamlTextOver } from "../../documents/yaml-text.ts";
import { ApiFailure } from "../api/api-client.ts";
import { exportForm } from "../apply/export-form.ts";
import { comparable } from "../apply/plan.ts";
import { readResources } from "../apply/resource-files.ts";
import type { Resources } from "../apply/resources.ts";
import { readServer } from "../apply/server-state.ts";
import { kindOf } from "../check/kind.ts";
import { whyUnreadable } from "../config/bounded-file.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { apiTarget, judgedBy } from "./api-target.ts";
import { complain } from "./complain.ts";
import { Progress } from "./progress.ts";

/** @returns the exit status */
export async function exportResources(
	sources: ConfigSources,
	words: readonly string[],
): Promise<number> {
	const [file, ...more] = words;
	if (more.length > 0)
		return complain("export takes one file, or none for stdout (weir export --help)");
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	const path =
		file === undefined || file === "-" ? undefined : resolve(sources.workingDirectory, file);
	const isJson = sources.flags.json === true || (path?.endsWith(".json") ?? false);
	try {
		const there = path === undefined || !existsSync(path) ? undefined : resourcesIn(path);
		const before = isJson ? undefined : there;
		const progress = new Progress("read the server");
		const resources = await readServer(target.value, (done) => progress.tell(done));
		if (before !== undefined && resources.size === 0)
			throw new ApiFailure(`${target.value.url} holds nothing; ${file} is left as it is`);
		const form = exportForm(
			before === undefined ? resources : withSecretsOf(path, resources, sources),
		);
		const text = isJson
			? `${JSON.stringify(form, null, 2)}\n`
			: before === undefined
				? yamlText(form)
				: yamlTextOver(before, form);
		if (path === undefined) {
			process.stdout.write(text);
			return 0;
		}
		replace(path, text);
		process.stderr.write(
			`weir: ${resources.size} resources of ${target.value.url} are in ${file}\n`,
		);
		return 0;
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message, 1);
		throw error;
	}
}

/**
 * A server gives no secrets away. Those that the file has, and that are the ones stored, stay there.
 * @param path of the file that is written over
 */
function withSecretsOf(
	path: string | undefined,
	stored: Resources,
	sources: ConfigSources,
): Resources {
	const options = judgedBy(sources);
	if (!options.ok || path === undefined) return stored;
	const files = readResources([path], options.value);
	if (!files.ok) return stored;
	return new Map(
		[...stored].map(([key, resource]) => {
			const written = files.value.resources.get(key);
			const isSame =
				written !== undefined &&
				canonical(comparable(written, resource)) === canonical(resource.document);
			return [key, isSame ? written : resource];
		}),
	);
}

/** @returns its text @throws ApiFailure it is no file of resources, or can't be read, so that nobody meant it to be lost */
function resourcesIn(path: string): string {
	try {
		const bytes = readFileSync(path);
		const parsed = readDocument(path, bytes);
		if (parsed.ok && isReplaceable(parsed.value.value)) return bytes.toString();
		if (parsed.ok)
			throw new ApiFailure(
				`${path} is no file of resources, and is left as it is: export to another file`,
			);
		const { line, column, message } = parsed.error;
		throw new ApiFailure(
			`${path}:${line}:${column}: ${message}; it is left as it is: mend it, or export to another file`,
		);
	} catch (error) {
		if (error instanceof ApiFailure) throw error;
		throw new ApiFailure(`${path} cannot be read: ${whyUnreadable(error)}`);
	}
}

/** Empty, or declarations as `weir apply` takes them. */
function isReplaceable(value: unknown): boolean {
	const kind = kindOf(value);
	if (kind.ok) return kind.value === "resources";
	return value === null || JSON.stringify(value) === "{}";
}

/** The file is whole at any time. */
function replace(path: string, text: string): void {
	const beside = `${path}.new`;
	try {
		writeFileSync(beside, text);
		renameSync(beside, path);
	} catch (error) {
		throw new ApiFailure(`cannot write ${path}: ${whyUnreadable(error)}`);
	}
}
