/**
 * Prints what `weir check` has found: lines for people, as compilers have them, or a line of JSON for each file. Called
 * by process/commands/check-command.ts.
 */
import { printable } from "../explain/paint.ts";
import { type CheckedFile, errorsOf, type Finding } from "./checked-file.ts";

/** Findings, then one line that says what the file was taken for. */
export const lines = (file: CheckedFile): string =>
	[...file.findings.map((each) => line(file.path, each)), `${file.path}: ${verdict(file)}\n`].join(
		"",
	);

/** As compilers have it: file, line, column, place in the document, sentence. */
export function line(
	path: string,
	{ severity, source, pointer, position, message }: Finding,
): string {
	const at = position === undefined ? "" : `:${position.line}:${position.column}`;
	const of = pointer === undefined ? source : printable(pointer) || "/";
	const [first, ...rest] = message.split("\n");
	const place = `${path}${at}:${of === undefined ? "" : ` ${of}:`}`;
	return [
		`${place} ${severity}: ${printable(first ?? "")}\n`,
		...rest.map((more) => `    ${printable(more)}\n`),
	].join("");
}

function verdict(file: CheckedFile): string {
	const errors = errorsOf(file).length;
	const warnings = file.findings.length - errors;
	const result = errors === 0 ? "ok" : counted(errors, "error");
	const more = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
	return `${result}${more} (${takenFor(file)})`;
}

const counted = (number: number, what: string): string =>
	`${number} ${what}${number === 1 ? "" : "s"}`;

function takenFor({ kind, wrapper }: CheckedFile): string {
	switch (kind) {
		case "config":
			return "config file";
		case "policy":
			return wrapper === undefined ? "policy" : `policy in "${wrapper}"`;
		case "resources":
			return "file of resources";
		case undefined:
			return "not judged";
	}
}

/** For programs: the file, what it was taken for, and every finding with its place. */
export const jsonLine = (file: CheckedFile): string =>
	`${JSON.stringify({
		file: file.path,
		kind: file.kind ?? null,
		wrapped: file.wrapper !== undefined,
		ok: errorsOf(file).length === 0,
		findings: file.findings.map(({ severity, source, pointer, position, message }) => ({
			severity,
			pointer: pointer ?? null,
			line: position?.line ?? null,
			column: position?.column ?? null,
			...(source === undefined ? {} : { source }),
			message,
		})),
	})}\n`;
