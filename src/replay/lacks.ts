/**
 * What policies read that lines of the log do not hold. Nobody knows whether a field that a line does not have was not sent or
 * not kept; one that some line has is kept. Made by `replay.ts`, asked by `replayed-exchange.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import type { LogEntry } from "./log-entry.ts";

/** What lines of this log are known to tell where there is something to tell. */
export class Kept {
	readonly #request: Set<string>;
	readonly #response: Set<string>;
	hasQuery: boolean;
	hasCountry: boolean;

	/** @param settings of the weir that wrote the log, as far as they are known */
	constructor(settings?: {
		readonly headers: readonly string[];
		readonly responseHeaders: readonly string[];
		readonly accessQuery: boolean;
		readonly hasPlaces: boolean;
	}) {
		this.#request = new Set(["user-agent", "referer", ...(settings?.headers ?? [])]);
		this.#response = new Set(settings?.responseHeaders);
		this.hasQuery = settings?.accessQuery ?? false;
		this.hasCountry = settings?.hasPlaces ?? false;
	}

	/** Hot. */
	see({ headers, responseHeaders, rawQuery, country }: LogEntry): void {
		if (rawQuery !== undefined) this.hasQuery = true;
		if (country !== undefined) this.hasCountry = true;
		note(this.#request, headers);
		note(this.#response, responseHeaders);
	}

	has(phase: "request" | "response", name: string): boolean {
		return (phase === "request" ? this.#request : this.#response).has(name);
	}
}

function note(known: Set<string>, lines: readonly string[]): void {
	for (let at = 0; at < lines.length; at += 2) {
		if (known.size < LIMITS.replayFieldNames) known.add(lines[at] ?? "");
	}
}

export interface Lack {
	/** what, as in `header x-role` */
	readonly what: string;
	readonly lines: number;
	/** a sentence: what it was taken for, and how the log comes to hold it */
	readonly effect: string;
}

export class Lacks {
	readonly #kept: Kept;
	readonly #counts = new Map<string, number>();
	readonly #effects = new Map<string, string>();
	/** of the line that is being replayed */
	#noted: string[] = [];
	isQuiet = false;

	constructor(kept: Kept) {
		this.#kept = kept;
	}

	get kept(): Kept {
		return this.#kept;
	}

	/** A policy has read this of a line that does not hold it. */
	note(what: string, effect: string): void {
		if (this.isQuiet || this.#noted.includes(what)) return;
		this.#noted.push(what);
		this.#effects.set(what, effect);
	}

	/** The line is over. @returns whether a policy has read of it what it does not hold */
	endLine(): boolean {
		if (this.#noted.length === 0) return false;
		for (const what of this.#noted) this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
		this.#noted = [];
		return true;
	}

	/** Without what later lines turned out to hold, the most frequent first. */
	report(): readonly Lack[] {
		return [...this.#counts]
			.filter(([what]) => !this.#turnedOut(what))
			.map(([what, lines]) => ({ what, lines, effect: this.#effects.get(what) ?? "" }))
			.sort((one, other) => other.lines - one.lines);
	}

	#turnedOut(what: string): boolean {
		if (what === QUERY) return this.#kept.hasQuery;
		if (what === COUNTRY) return this.#kept.hasCountry;
		const [, phase, name = ""] = /^(request|response) header (\S+)$/.exec(what) ?? [];
		return phase !== undefined && this.#kept.has(phase as "request" | "response", name);
	}
}

export const QUERY = "query";
export const COUNTRY = "country";
