/**
 * The difference of two texts by lines, as people read it: what went, what came, and a few lines around. Pure. Called by
 * `show-plan.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";

export interface DiffLine {
	/** `gap`: lines that are the same were left out */
	readonly kind: "same" | "gone" | "new" | "gap";
	readonly text: string;
}

export function lineDiff(before: string, after: string): readonly DiffLine[] {
	const [old, now] = [linesOf(before), linesOf(after)];
	let start = 0;
	while (start < old.length && start < now.length && old[start] === now[start]) start++;
	let end = 0;
	const shorter = Math.min(old.length, now.length) - start;
	while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
	const middle = changes(old.slice(start, old.length - end), now.slice(start, now.length - end));
	const same = (text: string): DiffLine => ({ kind: "same", text });
	return shortened([
		...old.slice(0, start).map(same),
		...middle,
		...old.slice(old.length - end).map(same),
	]);
}

const linesOf = (text: string): readonly string[] =>
	text === "" ? [] : text.replace(/\n$/, "").split("\n");

const gone = (text: string): DiffLine => ({ kind: "gone", text });
const fresh = (text: string): DiffLine => ({ kind: "new", text });

/** A longest common subsequence, in a table of both lengths; of too long texts all is told as changed. */
function changes(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
	const [rows, columns] = [old.length, now.length];
	if (rows === 0 || columns === 0 || rows + columns > LIMITS.diffLines)
		return [...old.map(gone), ...now.map(fresh)];
	const width = columns + 1;
	const lengths = new Uint16Array((rows + 1) * width);
	const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
	for (let row = rows - 1; row >= 0; row--) {
		for (let column = columns - 1; column >= 0; column--) {
			lengths[row * width + column] =
				old[row] === now[column]
					? at(row + 1, column + 1) + 1
					: Math.max(at(row + 1, column), at(row, column + 1));
		}
	}
	const lines: DiffLine[] = [];
	let [row, column] = [0, 0];
	while (row < rows || column < columns) {
		const [left, right] = [old[row], now[column]];
		if (left !== undefined && left === right) {
			lines.push({ kind: "same", text: left });
			row++;
			column++;
		} else if (
			left !== undefined &&
			(right === undefined || at(row + 1, column) >= at(row, column + 1))
		) {
			lines.push(gone(left));
			row++;
		} else if (right !== undefined) {
			lines.push(fresh(right));
			column++;
		}
	}
	return lines;
}

/** Lines that are the same stay where they are near a change. */
function shortened(lines: readonly DiffLine[]): readonly DiffLine[] {
	const near = lines.map(() => false);
	for (const [index, { kind }] of lines.entries()) {
		if (kind === "same") continue;
		const most = Math.min(lines.length - 1, index + LIMITS.diffContextLines);
		for (let each = Math.max(0, index - LIMITS.diffContextLines); each <= most; each++)
			near[each] = true;
	}
	return lines.flatMap((line, index) => {
		if (near[index]) return [line];
		return index === 0 || near[index - 1] ? [{ kind: "gap", text: "" } as const] : [];
	});
}
