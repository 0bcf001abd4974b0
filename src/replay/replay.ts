/**
 * Replays the lines of an access log under a new policy, and says what would be different: from what the log says, or from
 * what another policy would have done. Nothing is sent or written. Called by process/replay/run-replay.ts.
 */
import { settleHere } from "../cel/settle.ts";
import type { Config } from "../config.ts";
import type { Services } from "../edge/services.ts";
import { servicesFor } from "../explain/explain-services.ts";
import { LIMITS } from "../limits/limits.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import { timesIn } from "./json-entry.ts";
import { Kept, type Lack, Lacks } from "./lacks.ts";
import type { LogEntry } from "./log-entry.ts";
import { headOf, noteCut } from "./logged-head.ts";
import { cameOf, verdictOf } from "./outcome.ts";
import { readLine } from "./read-line.ts";
import { Reordering } from "./reordering.ts";
import { ReplayError } from "./replay-error.ts";
import type { ReplayReport } from "./shapes.ts";
import { type PolicySource, Simulation } from "./simulation.ts";
import { type LinePlace, Tally } from "./tally.ts";

export interface ReplayOptions {
	readonly policy: PolicySource;
	/** undefined: what the log says is compared with */
	readonly against: PolicySource | undefined;
	/** of the weir that is replayed: how policies run */
	readonly config: Config;
	/** it is the weir's that wrote the log: what its lines hold is known */
	readonly isLogged: boolean;
	/** `EDGE/ROUTE` whose lines are replayed; lines that name none are taken to be its */
	readonly route: string | undefined;
	/** rows of each table, samples of each kind of difference */
	readonly top: number;
	readonly samples: number;
}

interface Waiting extends LinePlace {
	readonly startMs: number;
	readonly endMs: number;
	/** the line, as it is or read */
	readonly given: string | LogEntry;
}

const NAMELESS =
	"lines of this log do not say which route they are of: name it with --route EDGE/ROUTE";

/** Settles at once what would go to a thread. */
const HERE: Evaluator = {
	keep: () => () => {},
	ready: () => Promise.resolve(),
	evaluate(suspension, attributes, _deadlineMs, done) {
		const untilMs = performance.now() + LIMITS.heavyWaitMs;
		done(settleHere(suspension, attributes, () => performance.now() < untilMs));
		return { cancel() {} };
	},
};

/** To be closed in the end. */
export const openReplay = async (options: ReplayOptions): Promise<Replay> =>
	new Replay(options, await servicesFor({ ...options.config, geoDatabase: null }, HERE));

class Replay {
	readonly #options: ReplayOptions;
	readonly #kept: Kept;
	readonly #lacks: Lacks;
	readonly #new: Simulation;
	readonly #old: Simulation | undefined;
	readonly #tally: Tally;
	readonly #reordering = new Reordering<Waiting>((waiting) => this.#replay(waiting));
	readonly #lines = { read: 0, requests: 0, refused: 0, before_policies: 0, other_routes: 0 };
	readonly #strange = { other: 0, bad: 0, sampled: 0 };
	#firstBad: ReplayReport["lines"]["first_bad"] = null;
	readonly #agreement = { same: 0, other: 0 };
	#fromMs = Number.POSITIVE_INFINITY;
	#untilMs = Number.NEGATIVE_INFINITY;

	constructor(options: ReplayOptions, services: Services) {
		const { config, policy, against, isLogged } = options;
		const { headers, responseHeaders, accessQuery } = config.log;
		const hasPlaces = config.geoDatabase !== null;
		this.#options = options;
		this.#kept = new Kept(
			isLogged ? { headers, responseHeaders, accessQuery, hasPlaces } : undefined,
		);
		this.#lacks = new Lacks(this.#kept);
		const shared = { config, services, lacks: this.#lacks, comparesChanges: against !== undefined };
		this.#new = new Simulation({ ...shared, source: policy });
		this.#old = against && new Simulation({ ...shared, source: against });
		this.#tally = new Tally(options.samples);
	}

	/** requests that have been replayed so far */
	get requests(): number {
		return this.#lines.requests;
	}

	/** Hot. @param text without its end; an empty one is none @throws ReplayError */
	take(text: string, file: string, line: number): void {
		if (text === "") return;
		this.#lines.read++;
		const times = timesIn(text);
		if (times !== undefined) {
			const { startMs, endMs } = times;
			this.#reordering.add({ startMs, endMs, given: text, file, line });
			return;
		}
		const entry = this.#entryOf(text, file, line);
		if (entry === undefined) return;
		const { startMs, endMs } = entry;
		this.#reordering.add({ startMs, endMs, given: entry, file, line });
	}

	/** A line that can't be read. @param why a sentence without its end */
	bad(file: string, line: number, why: string): void {
		this.#strange.bad++;
		this.#firstBad ??= { file, line, why };
	}

	/** @returns undefined if it tells of no request that is to be replayed */
	#entryOf(text: string, file: string, line: number): LogEntry | undefined {
		const read = readLine(text);
		if (read.kind === "request") return this.#chosen(read.entry);
		if (read.kind === "refused") this.#lines.refused++;
		else if (read.kind === "other") this.#strange.other++;
		else this.bad(file, line, read.why);
		return undefined;
	}

	#chosen(entry: LogEntry): LogEntry | undefined {
		const { route, policy, against } = this.#options;
		const { edgeId, routeId, form } = entry;
		if (routeId === "") {
			if (form === "json") {
				this.#lines.before_policies++;
				return undefined;
			}
			const needsRoute = policy.isByRoute || against?.isByRoute === true;
			if (needsRoute && route === undefined) throw new ReplayError(NAMELESS);
			const named = placed(entry, route);
			if (policy.covers(named.edgeId, named.routeId)) return named;
			this.#lines.other_routes++;
			return undefined;
		}
		const isOther = route !== undefined && route !== `${edgeId}/${routeId}`;
		if (!isOther && policy.covers(edgeId, routeId)) return entry;
		this.#lines.other_routes++;
		return undefined;
	}

	#replay({ given, file, line }: Waiting): void {
		const entry = typeof given === "string" ? this.#entryOf(given, file, line) : given;
		if (entry === undefined) return;
		this.#kept.see(entry);
		const logged = cameOf(entry);
		if (logged === undefined) {
			this.#lines.before_policies++;
			return;
		}
		this.#lines.requests++;
		if (entry.isSampled) this.#strange.sampled++;
		if (entry.startMs < this.#fromMs) this.#fromMs = entry.startMs;
		if (entry.endMs > this.#untilMs) this.#untilMs = entry.endMs;
		noteCut(entry, this.#lacks);
		const head = headOf(entry, this.#lacks);
		const old = this.#old?.run(entry, head);
		const after = this.#new.run(entry, head);
		if (old !== undefined && logged.kind !== "unknown")
			this.#agreement[verdictOf(logged, old) === "same" ? "same" : "other"]++;
		const before = old ?? logged;
		const verdict = verdictOf(before, after);
		const isUncertain = this.#lacks.endLine();
		this.#tally.add({ entry, before, after, verdict, isUncertain, file, line });
	}

	/** To be called once. @param isComplete all lines have been taken @throws ReplayError */
	end(isComplete: boolean): ReplayReport {
		this.#reordering.end();
		this.#new.end();
		this.#old?.end();
		const { top, against } = this.#options;
		const { requests, ...tables } = this.#tally.report(top);
		const isoOf = (ms: number): string | null =>
			Number.isFinite(ms) ? new Date(ms).toISOString() : null;
		const agreed = this.#agreement.same + this.#agreement.other > 0;
		return {
			compared_with: against === undefined ? "log" : "policy",
			complete: isComplete,
			from: isoOf(this.#fromMs),
			until: isoOf(this.#untilMs),
			lines: {
				...this.#lines,
				...this.#strange,
				first_bad: this.#firstBad,
				late: this.#reordering.late,
			},
			requests,
			agreement: agreed ? { ...this.#agreement } : null,
			...tables,
			lacks: [...this.#lacks.report(), ...this.#missing()].map((lack) => ({ ...lack })),
			keys_forgotten: this.#new.evicted + (this.#old?.evicted ?? 0),
		};
	}

	/** Address lists, which no line holds. */
	#missing(): readonly Lack[] {
		const { policy, against } = this.#options;
		const names = new Set([...policy.missingLists, ...(against?.missingLists ?? [])]);
		return [...names].map((name) => ({
			what: `address list ${name}`,
			lines: this.#lines.requests,
			effect: "It was taken as empty; replay a file of resources that holds it (weir export).",
		}));
	}

	close(): void {
		this.#new.close();
		this.#old?.close();
	}
}

export type { Replay };

/** A line that names no route is taken to be of the one that is replayed. */
function placed(entry: LogEntry, route = "edge/route"): LogEntry {
	const [edgeId = "", routeId = ""] = route.split("/");
	return { ...entry, edgeId, routeId };
}
