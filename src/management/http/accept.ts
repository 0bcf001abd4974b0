/**
 * Whether an answer is for the eyes of a person at a terminal, whose prompt is to stand on a line of its own behind it.
 * curl and its kin say that they take any type; a program that asks for JSON gets JSON and not a byte more.
 * Called by `write.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";

/** @param lines of the `accept` field */
export function isForTerminal(lines: readonly string[]): boolean {
	const ranges = lines
		.flatMap((line) => line.split(","))
		.map((range) => asciiLowerCase(range.split(";")[0] ?? "").trim());
	const takesText = ranges.some((range) => range === "*/*" || range.startsWith("text/"));
	return takesText && !ranges.some((range) => range.startsWith("application/"));
}
