/**
 * Reads the files that `weir apply`, `diff` and `export` are given: one file, several, or folders of them, whose
 * declarations are one whole. Called by the commands of these names.
 */
import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { readDocument } from "../../documents/read-document.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { ValidationOptions } from "../../policy/document/validate.ts";
import { type Finding, finding } from "../check/checked-file.ts";
import { line } from "../check/report.ts";
import { isStdin, nameOfGiven, readGiven, whyUnreadable } from "../config/bounded-file.ts";
import { declarationsIn } from "./read-resources.ts";
import { keyOf, type Resource, type Resources, titleOf } from "./resources.ts";

export interface ReadFiles {
	readonly resources: Resources;
	/** lines for people, with file, line and column */
	readonly warnings: readonly string[];
}

/** @returns the error is lines for people */
export function readResources(
	paths: readonly string[],
	options: ValidationOptions,
): Result<ReadFiles, readonly string[]> {
	const resources = new Map<string, Resource>();
	const places = new Map<string, string>();
	const errors: string[] = [];
	const warnings: string[] = [];
	for (const path of paths) {
		const files = filesIn(path);
		if (!files.ok) errors.push(line(nameOfGiven(path), finding("error", files.error)));
		for (const file of files.ok ? files.value : []) {
			const read = readFile(file, options);
			errors.push(...read.errors);
			warnings.push(...read.warnings);
			for (const { resource, place } of read.found) {
				const key = keyOf(resource);
				const before = places.get(key);
				if (before === undefined) {
					places.set(key, place);
					resources.set(key, resource);
				} else errors.push(`${place}: error: the ${titleOf(resource)} stands at ${before}, too\n`);
			}
		}
	}
	return errors.length > 0 ? fail(errors) : ok({ resources, warnings });
}

/** Of a link that leads nowhere is said that it can't be read. */
const ABSENT = { throwIfNoEntry: false } as const;

/** A folder's own files in their order, not those of folders in it: a pipe there nobody may ever write to. */
function filesIn(path: string): Result<readonly string[], string> {
	try {
		if (isStdin(path) || !statSync(path).isDirectory()) return ok([path]);
		const names = readdirSync(path).filter((name) => /^[^.].*\.(?:ya?ml|json)$/.test(name));
		if (names.length === 0) return fail("the folder has no .yaml, .yml or .json file");
		const files = names.sort().map((name) => join(path, name));
		const strange = files.find((file) => statSync(file, ABSENT)?.isFile() === false);
		return strange === undefined
			? ok(files)
			: fail(`${basename(strange)} in it is no file; take it out of the folder`);
	} catch (error) {
		return fail(`cannot be read: ${whyUnreadable(error)}`);
	}
}

interface ReadFile {
	readonly found: readonly { readonly resource: Resource; readonly place: string }[];
	readonly errors: readonly string[];
	readonly warnings: readonly string[];
}

function readFile(given: string, options: ValidationOptions): ReadFile {
	const path = nameOfGiven(given);
	const broken = (about: Finding): ReadFile => ({
		found: [],
		errors: [line(path, about)],
		warnings: [],
	});
	const read = readGiven(given, LIMITS.policyBytesMax);
	if (!read.ok) return broken(finding("error", read.error));
	const document = readDocument(path, read.value);
	if (!document.ok) {
		const { message, line: at, column } = document.error;
		return broken(finding("error", message, { position: { line: at, column } }));
	}
	const { value, positionOf } = document.value;
	const { declared, problems, warnings } = declarationsIn(value, options);
	const told = (severity: Finding["severity"], pointer: string, message: string): string =>
		line(path, finding(severity, message, { pointer, position: positionOf(pointer) }));
	const placeOf = (pointer: string): string => {
		const position = positionOf(pointer);
		return position === undefined ? path : `${path}:${position.line}:${position.column}`;
	};
	return {
		found: declared.map(({ pointer, kind, name, document: each }) => ({
			resource: { kind, name, document: each },
			place: placeOf(pointer),
		})),
		errors: problems.map(({ pointer, message }) => told("error", pointer, message)),
		warnings: warnings.map(({ pointer, message }) => told("warning", pointer, message)),
	};
}
