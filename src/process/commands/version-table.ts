/** Versions of a policy as a table for people. Pure. Called by `rollback-command.ts`. */
import type { ListedPolicyVersion } from "../../management/answers.ts";
import { printable } from "../explain/paint.ts";

/** @param versions newest first */
export function versionTable(versions: readonly ListedPolicyVersion[]): string {
	if (versions.length === 0) return "no versions are kept of this policy\n";
	const rows = versions.map((each) => [
		String(each.version),
		each.created_at ?? "before versions were kept",
		printable(each.key_name || each.key_id || "-"),
		each.request_id ?? "-",
		`${each.size} B`,
		noteOf(each),
	]);
	const table = [["VERSION", "TIME", "KEY", "REQUEST", "SIZE", ""], ...rows];
	const widths = table.reduce<readonly number[]>(
		(widest, row) => row.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
		[],
	);
	const line = (row: readonly string[]): string =>
		row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
	return table.map((row) => `${line(row).trimEnd()}\n`).join("");
}

function noteOf({ in_force, rolled_back_to }: ListedPolicyVersion): string {
	const notes = [
		...(in_force ? ["in force"] : []),
		...(rolled_back_to === null ? [] : [`rolled back to ${rolled_back_to}`]),
	];
	return notes.join(", ");
}
