/**
 * Reads a config file: its text, its schema, and where in it a setting stands. Called by `load-config.ts`, and by
 * process/check/check-config.ts, whose caller has read the file already.
 */
import { dirname } from "node:path";
import { type ConfigFile, configSchema } from "../../config.ts";
import { pointerTo, pointerTokens } from "../../documents/json-position.ts";
import { check } from "../../documents/problems.ts";
import { readDocument } from "../../documents/read-document.ts";
import type { ParsedText } from "../../documents/text.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { readBounded } from "./bounded-file.ts";
import type { ConfigProblem, SettingProblem } from "./config-problem.ts";

export interface FileSettings {
	readonly settings: ConfigFile;
	/** undefined: no file, relative paths count from the working directory */
	readonly folder: string | undefined;
	/** whether the file itself says it, as opposed to a default */
	readonly names: (setting: keyof ConfigFile) => boolean;
	readonly locate: (problem: SettingProblem) => ConfigProblem;
}

export const NO_FILE: FileSettings = {
	settings: configSchema.parse({}),
	folder: undefined,
	names: () => false,
	locate: (problem) => problem,
};

/** @param path absolute */
export function readConfigFile(path: string): Result<FileSettings, readonly ConfigProblem[]> {
	const read = readBounded(path, LIMITS.policyBytesMax);
	if (!read.ok) return fail([{ message: read.error }]);
	const parsed = readDocument(path, read.value);
	if (parsed.ok) return readSettings(path, parsed.value);
	const { line, column, message } = parsed.error;
	return fail([{ position: { line, column }, message }]);
}

/** @param path absolute; what the file holds has been read already */
export function readSettings(
	path: string,
	parsed: ParsedText,
): Result<FileSettings, readonly ConfigProblem[]> {
	// An empty file, and one of comments alone, has every default.
	const written = parsed.value ?? {};
	const checked = check(configSchema, written);
	if (!checked.ok)
		return fail(
			checked.error.map(({ pointer, message }) => ({
				pointer,
				message,
				...positionIn(parsed, pointer),
			})),
		);
	return ok({
		settings: checked.value,
		folder: dirname(path),
		names: (setting) => Object.hasOwn(written, setting),
		locate: ({ pointer, message }) => {
			const found = asWritten(written, pointer);
			// The file says nothing of it: a default is at fault.
			if (found === "") return { pointer, message };
			return { pointer: found, message, ...positionIn(parsed, found) };
		},
	});
}

function positionIn(parsed: ParsedText, pointer: string): Pick<ConfigProblem, "position"> {
	const position = parsed.positionOf(pointer);
	return position === undefined ? {} : { position };
}

/** The part of a pointer that a document has. A list of one may stand there without its brackets. */
function asWritten(document: unknown, pointer: string): string {
	const path: string[] = [];
	let value = document;
	for (const token of pointerTokens(pointer) ?? []) {
		if (token === "0" && !Array.isArray(value)) continue;
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) break;
		path.push(token);
		value = (value as Readonly<Record<string, unknown>>)[token];
	}
	return pointerTo(path);
}
