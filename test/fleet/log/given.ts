/** What each test of a log begins with: an empty log, and two members' ways to it. */
import { expect } from "vitest";
import type { FleetLog } from "../../../src/fleet/log/log.ts";
import type { FleetRecord } from "../../../src/fleet/record.ts";
import { recordOn } from "./examples.ts";

/** An implementation of `FleetLog` with its engine. */
export interface LogBench {
	/** Another member's way to the log. */
	open(role: "manager" | "edge"): Promise<FleetLog>;
	/** An empty log of a fleet of its own. @param maxBytes of the log */
	begin(maxBytes?: number): Promise<void>;
	close(): Promise<void>;
}

/** Longer than a live record needs on a busy machine. */
export const SOON = { timeout: 10_000, interval: 10 };
export const APPEND_MS = 5000;

/** Whoever asks after it wants to hear knows by the answer that the engine knows. */
export async function areHeard(...logs: readonly FleetLog[]): Promise<void> {
	await Promise.all(logs.map((log) => log.tail()));
}

export class Given {
	readonly #bench: LogBench;
	readonly #opened: FleetLog[] = [];
	#log: FleetLog | undefined;
	#other: FleetLog | undefined;

	constructor(bench: LogBench) {
		this.#bench = bench;
	}

	get log(): FleetLog {
		return given(this.#log);
	}
	get other(): FleetLog {
		return given(this.#other);
	}

	async begin(maxBytes?: number): Promise<void> {
		await this.close();
		await this.#bench.begin(maxBytes);
		this.#log = await this.open();
		this.#other = await this.open();
	}

	/** Closed with the test. */
	async open(role: "manager" | "edge" = "manager"): Promise<FleetLog> {
		const log = await this.#bench.open(role);
		this.#opened.push(log);
		return log;
	}

	/** @returns the records that were appended, at revisions 1 and on */
	async fill(count: number): Promise<readonly FleetRecord[]> {
		const records = Array.from({ length: count }, (_, base) => recordOn(base));
		for (const [base, record] of records.entries())
			expect(await this.log.append(record, APPEND_MS)).toEqual({ revision: base + 1 });
		return records;
	}

	async close(): Promise<void> {
		await Promise.all(this.#opened.splice(0).map((log) => log.close()));
	}
}

function given<T>(value: T | undefined): T {
	if (value === undefined) throw new Error("the test has not begun");
	return value;
}
