/** Counts differences by rule, route, client and path, within bounds, and keeps the first as samples. Made by `replay.ts`. */
import { LIMITS } from "../limits/limits.ts";
import type { LogEntry } from "./log-entry.ts";
import type { Came, Verdict } from "./outcome.ts";
import type { ReplayReport, Sample } from "./shapes.ts";

type Difference = Sample["difference"];
type Counts = Record<Difference, number>;

const none = (): Counts => ({ now_blocked: 0, now_passed: 0, changed: 0 });
const sum = ({ now_blocked, now_passed, changed }: Counts): number =>
	now_blocked + now_passed + changed;

/** Stands for all keys beyond the bound; no client, path or id. */
const OTHERS = "(others)";

class Table<Key> {
	readonly #rows = new Map<string, { readonly key: Key; readonly counts: Counts }>();
	readonly #others = none();

	add(text: string, key: Key, difference: Difference): void {
		const row = this.#rows.get(text);
		if (row !== undefined) row.counts[difference]++;
		else if (this.#rows.size >= LIMITS.replayTallied) this.#others[difference]++;
		else this.#rows.set(text, { key, counts: { ...none(), [difference]: 1 } });
	}

	/** The most frequent first. @param others the key of what is not counted one by one */
	top(most: number, others: Key): (Key & Counts)[] {
		const rows = [...this.#rows.values()].sort((one, other) => sum(other.counts) - sum(one.counts));
		const told = rows.slice(0, most).map(({ key, counts }) => ({ ...key, ...counts }));
		if (sum(this.#others) > 0) told.push({ ...others, ...this.#others });
		return told;
	}
}

type Rows<Name extends "rules" | "routes" | "clients" | "paths"> = Omit<
	ReplayReport[Name][number],
	Difference
>;

/** Where a line stands. */
export interface LinePlace {
	readonly file: string;
	readonly line: number;
}

export interface Compared extends LinePlace {
	readonly entry: LogEntry;
	readonly before: Came;
	readonly after: Came;
	readonly verdict: Verdict;
	readonly isUncertain: boolean;
}

export class Tally {
	readonly #rules = new Table<Rows<"rules">>();
	readonly #routes = new Table<Rows<"routes">>();
	readonly #clients = new Table<Rows<"clients">>();
	readonly #paths = new Table<Rows<"paths">>();
	readonly #samples: Sample[] = [];
	readonly #samplesMost: number;
	readonly #counts = { same: 0, ...none(), unknown: 0, uncertain: 0 };

	/** @param samples of each kind of difference that are kept */
	constructor(samples: number) {
		this.#samplesMost = samples;
	}

	add(compared: Compared): void {
		const { verdict, isUncertain } = compared;
		this.#counts[verdict]++;
		if (verdict === "same" || verdict === "unknown") return;
		if (isUncertain) this.#counts.uncertain++;
		const { entry, before, after } = compared;
		const { edgeId: edge_id, routeId: route_id, clientIp: client_ip, rawPath: path } = entry;
		const rule = ruleOf(before, after);
		if (rule !== undefined)
			this.#rules.add(`${rule.of} ${rule.phase} ${rule.rule} ${rule.rule_name}`, rule, verdict);
		this.#routes.add(`${edge_id}/${route_id}`, { edge_id, route_id }, verdict);
		this.#clients.add(client_ip, { client_ip }, verdict);
		this.#paths.add(path, { path }, verdict);
		if (this.#counts[verdict] <= this.#samplesMost) this.#samples.push(sampleOf(compared, verdict));
	}

	/** @param most rows of each table */
	report(
		most: number,
	): Pick<ReplayReport, "requests" | "rules" | "routes" | "clients" | "paths" | "samples"> {
		const others = { edge_id: OTHERS, route_id: OTHERS };
		return {
			requests: { ...this.#counts },
			rules: this.#rules.top(most, {
				...{ of: "new", phase: OTHERS, rule: 0, rule_name: "", rate_limit: null },
			}),
			routes: this.#routes.top(most, others),
			clients: this.#clients.top(most, { client_ip: OTHERS }),
			paths: this.#paths.top(most, { path: OTHERS }),
			samples: [...this.#samples],
		};
	}
}

/** The new policy's, which ends the request now; else that which ended it before. */
function ruleOf(before: Came, after: Came): Rows<"rules"> | undefined {
	const [of, came] =
		after.rule === undefined ? (["old", before] as const) : (["new", after] as const);
	const { phase, rule, ruleName, limit } = came;
	if (phase === undefined || rule === undefined) return undefined;
	return { of, phase, rule, rule_name: ruleName, rate_limit: limit ?? null };
}

const told = ({ kind, status, phase, rule, ruleName, limit }: Came): Sample["before"] => ({
	...{ outcome: kind, status, phase: phase ?? null, rule: rule ?? null },
	...{ rule_name: ruleName, rate_limit: limit ?? null },
});

const sampleOf = (
	{ entry, before, after, file, line, isUncertain }: Compared,
	difference: Difference,
): Sample => ({
	...{ file, line, time: new Date(entry.startMs).toISOString(), request_id: entry.requestId },
	...{ edge_id: entry.edgeId, route_id: entry.routeId, client_ip: entry.clientIp },
	...{ method: entry.method, host: entry.host, path: entry.rawPath, difference },
	uncertain: isUncertain,
	before: told(before),
	after: told(after),
});
