/** Which lines two texts share (Myers, 1986), for two versions of a document. Used by conflict.tsx and versions.tsx. */

export interface DiffLine {
	readonly side: "both" | "mine" | "theirs";
	readonly text: string;
}

/** Differences beyond this are shown as one block: nobody would read them one by one, and the work grows with the square. */
const MOST_EDITS = 1_000;

export function diffLines(theirs: string, mine: string): DiffLine[] {
	const [a, b] = [theirs.split("\n"), mine.split("\n")];
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end))
		end++;
	const middle = edits(a.slice(start, a.length - end), b.slice(start, b.length - end));
	return [
		...lines("both", a.slice(0, start)),
		...middle,
		...lines("both", end === 0 ? [] : a.slice(-end)),
	];
}

const lines = (side: DiffLine["side"], texts: readonly string[]): DiffLine[] =>
	texts.map((text) => ({ side, text }));

function edits(a: readonly string[], b: readonly string[]): DiffLine[] {
	const trace = traced(a, b);
	if (trace === undefined) return [...lines("theirs", a), ...lines("mine", b)];
	const found: DiffLine[] = [];
	let [x, y] = [a.length, b.length];
	for (let d = trace.length - 1; d >= 0; d--) {
		const reached = trace[d] ?? new Map<number, number>();
		const k = x - y;
		const down = comesDown(reached, k, d);
		const fromK = down ? k + 1 : k - 1;
		const fromX = d === 0 ? 0 : (reached.get(fromK) ?? 0);
		const fromY = d === 0 ? 0 : fromX - fromK;
		while (x > fromX && y > fromY) {
			found.push({ side: "both", text: a[--x] ?? "" });
			y--;
		}
		if (d === 0) break;
		if (down) found.push({ side: "mine", text: b[--y] ?? "" });
		else found.push({ side: "theirs", text: a[--x] ?? "" });
	}
	return found.reverse();
}

const comesDown = (reached: ReadonlyMap<number, number>, k: number, d: number): boolean =>
	k === -d || (k !== d && (reached.get(k - 1) ?? -1) < (reached.get(k + 1) ?? -1));

/** What each number of edits reached, before it; undefined: too many are needed. */
function traced(a: readonly string[], b: readonly string[]): Map<number, number>[] | undefined {
	const trace: Map<number, number>[] = [];
	let reached = new Map<number, number>([[1, 0]]);
	for (let d = 0; d <= Math.min(a.length + b.length, MOST_EDITS); d++) {
		trace.push(reached);
		const next = new Map(reached);
		for (let k = -d; k <= d; k += 2) {
			let x = comesDown(reached, k, d) ? (reached.get(k + 1) ?? 0) : (reached.get(k - 1) ?? 0) + 1;
			while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
			next.set(k, x);
			if (x >= a.length && x - k >= b.length) return trace;
		}
		reached = next;
	}
	return undefined;
}
