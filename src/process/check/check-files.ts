/**
 * Reads the files that `weir check` is given, finds out what each of them is, and has it judged: config files first, as
 * policies beside one are judged by its bounds. Called by process/commands/check-command.ts.
 */
import { readDocument } from "../../documents/read-document.ts";
import type { ParsedText } from "../../documents/text.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { wrapperOf } from "../../policy/document/wrappers.ts";
import { nameOfGiven, readGiven } from "../config/bounded-file.ts";
import type { ConfigSources } from "../config/load-config.ts";
import type { CheckedConfig } from "./check-config.ts";
import { boundsOf, checkPolicy, checkResources } from "./check-policy.ts";
import { type CheckedFile, type Finding, finding, type Kind } from "./checked-file.ts";
import { kindOf } from "./kind.ts";

export interface CheckOptions extends Pick<ConfigSources, "environment" | "workingDirectory"> {
	/** instead of what the content says */
	readonly as?: Kind;
}

/** A file that is a document of a known kind. */
interface Known {
	readonly path: string;
	readonly kind: Kind;
	readonly parsed: ParsedText;
	readonly bytes: number;
}

/** @returns one entry for each path, in order; or a sentence about the command as a whole */
export async function checkFiles(
	paths: readonly string[],
	options: CheckOptions,
): Promise<Result<readonly CheckedFile[], string>> {
	const files = paths.map((path) => readFile(path, options.as));
	const known = files.filter((file) => "parsed" in file);
	const configFiles = known.filter(({ kind }) => kind === "config");
	const names = configFiles.map(({ path }) => path);
	if (names.length > 1 && names.length < known.length)
		return fail(
			`policies are judged by the bounds of one config file, and these are ${names.length}: ${names.join(", ")}; check policies beside one of them`,
		);
	const configs = new Map<Known, CheckedConfig>();
	for (const file of configFiles) {
		// Loaded where it is needed: it takes the addon, the store and the server library along.
		const { checkConfig } = await import("./check-config.ts");
		configs.set(file, await checkConfig(file.path, file.parsed, options));
	}
	const [judge] = configs.values();
	return ok(
		files.map((file) => {
			if (!("parsed" in file)) return file;
			const { path, kind, parsed } = file;
			if (kind === "config")
				return { path, kind, wrapper: undefined, findings: configs.get(file)?.findings ?? [] };
			const judged = kind === "policy" ? judgePolicy(file, judge) : judgeResources(file, judge);
			const findings = [...unknownBounds(judge, names), ...judged];
			const wrapper = kind === "policy" ? wrapperOf(parsed.value) : undefined;
			return { path, kind, wrapper, findings };
		}),
	);
}

const judgePolicy = ({ parsed, bytes }: Known, judge: CheckedConfig | undefined) =>
	checkPolicy(parsed, bytes, boundsOf(judge?.config));

const judgeResources = ({ parsed }: Known, judge: CheckedConfig | undefined) =>
	checkResources(parsed, boundsOf(judge?.config));

function unknownBounds(judge: CheckedConfig | undefined, [name]: readonly string[]): Finding[] {
	if (judge === undefined || judge.config !== undefined) return [];
	return [finding("warning", `judged by the default bounds, as ${name} has mistakes`)];
}

function readFile(given: string, as: Kind | undefined): Known | CheckedFile {
	const path = nameOfGiven(given);
	const unknown = (kind: Kind | undefined, about: Finding): CheckedFile => ({
		path,
		kind,
		wrapper: undefined,
		findings: [about],
	});
	// More than any config lets a policy have.
	const read = readGiven(given, LIMITS.policyBytesMax);
	if (!read.ok) return unknown(as, finding("error", read.error));
	const document = readDocument(path, read.value);
	if (!document.ok) {
		const { message, line, column } = document.error;
		return unknown(as, finding("error", message, { position: { line, column } }));
	}
	const parsed = document.value;
	const kind = as === undefined ? kindOf(parsed.value) : ok(as);
	if (!kind.ok) return unknown(undefined, finding("error", kind.error));
	return { path, kind: kind.value, parsed, bytes: read.value.byteLength };
}
