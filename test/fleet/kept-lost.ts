/** Files of lost records that are none: what a machine would keep on its disk, for tests in memory. */
import type { FoundRecord, LostRecord } from "../../src/fleet/lost.ts";
import type { LostKept, MissingRecord } from "../../src/fleet/lost-records.ts";

interface Line {
	readonly id: string;
	readonly revision: number;
	readonly why: LostRecord["why"];
	readonly isFound: boolean;
}

export class KeptLost implements LostKept {
	/** all that was ever reported */
	readonly reported: LostRecord[] = [];
	readonly files = new Map<string, Line[]>();

	write(lost: readonly LostRecord[]): string {
		const path = `fleet-lost-${String(this.files.size).padStart(6, "0")}`;
		this.reported.push(...lost);
		this.files.set(
			path,
			lost.map(({ record, revision, why }) => ({ id: record.id, revision, why, isFound: false })),
		);
		return path;
	}

	found(path: string, records: readonly FoundRecord[]): void {
		for (const { id, revision } of records)
			this.files.get(path)?.push({ id, revision, why: "lost", isFound: true });
	}

	*read(): Iterable<MissingRecord> {
		for (const [where, lines] of [...this.files].reverse()) {
			const found = new Set(lines.filter(({ isFound }) => isFound).map(({ id }) => id));
			for (const { id, revision, why, isFound } of lines)
				if (!isFound && !found.has(id)) yield { id, revision, why, where };
		}
	}

	isThere(path: string): boolean {
		return this.files.has(path);
	}

	/** ids that nobody has given back, as far as this machine knows; of those reported twice, the last time counts */
	get missing(): ReadonlyMap<string, LostRecord["why"]> {
		const last = new Map<string, Line>();
		for (const lines of this.files.values()) for (const line of lines) last.set(line.id, line);
		return new Map([...last].flatMap(([id, { isFound, why }]) => (isFound ? [] : [[id, why]])));
	}
}
