/** `weir check`: validates policy documents offline (contract 1). Prints to stdout; called by `main.ts`. */
import { readFileSync } from "node:fs";
import { parseJson } from "../../documents/json.ts";
import { LIMITS } from "../../limits/limits.ts";
import { validatePolicy } from "../../policy/document/validate.ts";

/** @returns the exit status: 0, 1 if any file has a problem, 2 if there is nothing to check */
export function checkFiles(paths: readonly string[]): number {
	if (paths.length === 0) {
		process.stderr.write("weir: check needs at least one file (weir check --help)\n");
		return 2;
	}
	let problems = 0;
	for (const path of paths) problems += checkFile(path);
	return problems > 0 ? 1 : 0;
}

function checkFile(path: string): number {
	const say = (place: string, kind: string, message: string): void => {
		const [first, ...rest] = message.split("\n");
		process.stdout.write(`${path}${place} ${kind}: ${first}\n`);
		for (const line of rest) process.stdout.write(`    ${line}\n`);
	};
	let bytes: Buffer;
	try {
		bytes = readFileSync(path);
	} catch (error) {
		say(":", "error", `cannot be read: ${(error as NodeJS.ErrnoException).code}`);
		return 1;
	}
	const parsed = parseJson(bytes);
	if (!parsed.ok) {
		say(`:${parsed.error.line}:${parsed.error.column}:`, "error", parsed.error.message);
		return 1;
	}
	const place = (pointer: string): string => {
		const position = parsed.value.positionOf(pointer);
		const at = position === undefined ? "" : `:${position.line}:${position.column}`;
		return `${at}: ${pointer === "" ? "/" : pointer}:`;
	};
	const checked = validatePolicy(parsed.value.value, { rulesPerPhase: LIMITS.rulesPerPhase });
	if (!checked.ok) {
		for (const { pointer, message } of checked.error) say(place(pointer), "error", message);
		return checked.error.length;
	}
	for (const { pointer, message } of checked.value.warnings)
		say(place(pointer), "warning", message);
	process.stdout.write(`${path}: ok\n`);
	return 0;
}
