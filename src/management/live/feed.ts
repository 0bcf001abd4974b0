/**
 * The live feed: once a second it collects what the workers have counted, keeps the history, and tells everybody who
 * watches. One for all streams; the workers are asked whether somebody watches or not, since a page that is opened shows
 * the last 15 minutes. Made and asked by `live-api.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Change, Store } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import type { EventStream } from "../http/event-stream.ts";
import { Decisions } from "./decisions.ts";
import { History } from "./history.ts";
import { overviewOf } from "./overview.ts";
import { Problems } from "./problems.ts";
import { RefusalList } from "./refusal-list.ts";
import type { LiveChange, LiveEvents } from "./shapes.ts";
import type { LiveSource, Reported } from "./source.ts";
import { Tally } from "./tally.ts";

const encoder = new TextEncoder();

/** As the format has it: one line of data, because JSON has no line breaks. */
const eventOf = <Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): Uint8Array =>
	encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

const NOTHING = { edges: 0, routes: 0, policies: 0 };
type Counts = ReturnType<Store["counts"]>;

export class Feed {
	readonly tally = new Tally();
	readonly refusals = new RefusalList();
	readonly decisions: Decisions;
	/** what each worker told last */
	readonly #reports = new Map<number, Reported>();
	readonly #source: LiveSource;
	readonly #store: Pick<Store, "counts" | "refresh">;
	readonly #version: string;
	readonly #startedMs = Date.now();
	readonly #history = new History();
	readonly #problems = new Problems();
	readonly #streams = new Set<EventStream>();
	readonly #timer: NodeJS.Timeout;
	#isCollecting = false;
	/** of the revision; counting 100,000 entries each second would take more than the rest */
	#stored: { readonly revision: number; readonly counts: Counts } | undefined;

	constructor(
		source: LiveSource,
		store: Pick<Store, "counts" | "refresh">,
		version: string,
		decisions = new Decisions(),
	) {
		this.decisions = decisions;
		this.#source = source;
		this.#store = store;
		this.#version = version;
		// A second that can't be told, as where the store can't be read, is left out; what is wrong with it others say.
		this.#timer = setInterval(() => void this.tick().catch(() => {}), LIMITS.liveMs).unref();
	}

	/** how many there are */
	get streams(): number {
		return this.#streams.size;
	}

	join(stream: EventStream): void {
		this.#streams.add(stream);
		const { refusals } = this.refusals.list(LIMITS.liveRefusalsPerSecond);
		const version = this.#version;
		stream.send(eventOf("history", { points: this.#history.points, refusals, version }));
	}

	/** Once a second. Not before the one before is through. */
	async tick(): Promise<void> {
		if (this.#isCollecting) return;
		this.#isCollecting = true;
		try {
			const reports = await this.#source.collect();
			this.#take(reports, Date.now());
		} finally {
			this.#isCollecting = false;
		}
	}

	#take(reports: readonly Reported[], nowMs: number): void {
		for (const reported of reports) this.#reports.set(reported.index, reported);
		const point = this.tally.add(reports, nowMs);
		this.#history.add(point);
		const refused = this.refusals.add(reports, this.decisions);
		this.#endStreams();
		if (this.#streams.size === 0) return;
		const overview = overviewOf({
			...{ point, nowMs, startedMs: this.#startedMs },
			...{ source: this.#source, reports: this.#reports, upstreams: this.tally.upstreams },
			...{ history: this.#history, problems: this.#problems, stored: this.#counted() },
		});
		this.#tell(eventOf("overview", overview));
		if (refused.refusals.length + refused.left_out > 0) this.#tell(eventOf("refusals", refused));
	}

	#counted(): Counts {
		const { revision } = this.#source;
		if (this.#stored?.revision === revision) return this.#stored.counts;
		try {
			this.#store.refresh();
			this.#stored = { revision, counts: this.#store.counts() };
		} catch (error) {
			// A store that is lost is among the problems; the rest is told all the same.
			if (!(error instanceof StoreError)) throw error;
		}
		return this.#stored?.counts ?? NOTHING;
	}

	/** All workers serve them. */
	changed(changes: readonly Change[]): void {
		if (this.#streams.size === 0) return;
		const shown = changes.slice(0, LIMITS.liveChanges).map(told);
		const { revision } = this.#source;
		const left_out = changes.length - shown.length;
		this.#tell(eventOf("changes", { ts: Date.now(), revision, changes: shown, left_out }));
	}

	close(): void {
		clearInterval(this.#timer);
		for (const stream of [...this.#streams]) stream.end(eventOf("end", { reason: "stopping" }));
		this.#streams.clear();
	}

	#tell(event: Uint8Array): void {
		for (const stream of this.#streams) stream.send(event);
	}

	/** Those that are over, have to end, or don't read. */
	#endStreams(): void {
		const nowMs = performance.now();
		for (const stream of [...this.#streams]) {
			const reason = stream.reasonToEnd();
			if (stream.fullMs(nowMs) > LIMITS.liveSlowMs) stream.giveUp();
			else if (reason !== undefined) stream.end(eventOf("end", { reason }));
			if (stream.isOver) this.#streams.delete(stream);
		}
	}
}

function told(change: Change): LiveChange {
	switch (change.kind) {
		case "ip_list":
			return { kind: change.kind, list_id: change.listId };
		case "edge":
		case "policies":
			return { kind: change.kind, edge_id: change.edgeId };
		default:
			return { kind: change.kind, edge_id: change.edgeId, route_id: change.routeId };
	}
}
