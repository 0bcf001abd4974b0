/**
 * Explains requests for the management API (contract 2, "Explain"): finds the route in the store, has a thread run the
 * request, and brings it what it asks for, which is address lists and what rate-limits have used. Nothing is counted. Made
 * by `process/supervisor/serve.ts`.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { Config } from "../config.ts";
import type { SeenRequest } from "../edge/seen/seen-request.ts";
import { LIMITS } from "../limits/limits.ts";
import type { CountedLimits } from "../policy/admission.ts";
import { listsNamedIn } from "../policy/document/address-lists.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import { type LimitAnswer, type LimitQuestion, questionKey } from "../policy/trace/asked-limits.ts";
import type { StoreReader } from "../store/store.ts";
import { TaskThread } from "../threads/task-thread.ts";
import { ThreadQueue } from "../threads/thread-queue.ts";
import { askedRequest } from "./asked-request.ts";
import type { ExplainAnswer, ExplainTask } from "./explain-task.ts";
import { seenAsked, seenQuestion } from "./live/seen-question.ts";
import { type FoundRoute, findRoute } from "./route-finder.ts";
import type { ExplainQuestion, Explanation } from "./shapes.ts";

interface ExplainerOptions {
	readonly store: Pick<
		StoreReader,
		"edges" | "routes" | "route" | "policy" | "ipListEntries" | "version"
	>;
	readonly config: () => Config;
	/** what all workers have counted; undefined while they don't count together */
	readonly counts: () => CountedLimits | undefined;
	/** milliseconds since 1970 */
	readonly now?: () => number;
}

/** A route that is to be explained whether or not the request comes to it. */
export interface NamedRoute {
	readonly edgeId: string;
	readonly routeId: string;
}

/** Too many explanations wait, or this one took too long; worth trying again. */
export class ExplainerBusyError extends Error {}

/** The question's URL can't be read: a sentence. */
export class UnreadableUrlError extends Error {}

export class Explainer {
	readonly #options: ExplainerOptions;
	readonly #queue = new ThreadQueue<ExplainTask, ExplainAnswer>({
		makeThread: () => new TaskThread(new URL("./explain-task.js", import.meta.url)),
		threads: 1,
		room: LIMITS.explainQueue,
		stuckMs: LIMITS.explainMs,
		idleMs: LIMITS.heavyIdleMs,
	});
	#given = 0;

	constructor(options: ExplainerOptions) {
		this.#options = options;
	}

	/**
	 * @param given a valid policy in place of the stored one
	 * @param named the route to be explained; else the one that the request comes to
	 * @returns undefined if the named route does not exist
	 * @throws ExplainerBusyError, UnreadableUrlError; Error if the thread crashed, a bug
	 */
	async explain(
		{ policy: _, ...question }: ExplainQuestion,
		given?: PolicyDocument,
		named?: NamedRoute,
	): Promise<Explanation | undefined> {
		const { now = Date.now } = this.#options;
		const config = this.#options.config();
		const asked = askedRequest(question.request, config);
		if (!asked.ok) throw new UnreadableUrlError(asked.error);
		const { store } = this.#options;
		const found = await inSlices(findRoute(store, asked.value));
		const place = named === undefined ? found : this.#named(found, named);
		if (place === undefined) return undefined;
		const nowMs = question.now === undefined ? now() : Date.parse(question.now);
		const policy = this.#policyFor(place, given);
		const base = { question, config, nowMs, route: place.chosen, near: place.near, ...policy };
		return this.#answered({ ...base, lists: this.#listsOf(policy.policy?.document), limits: [] });
	}

	/**
	 * A request that a worker has taken down: its rate-limits decide as they did, and nobody looks at the counters.
	 * @throws ExplainerBusyError; Error if the thread crashed, a bug
	 */
	async explainSeen(seen: SeenRequest): Promise<Explanation> {
		const config = this.#options.config();
		const asked = seenAsked(seen, config);
		if (asked === undefined) throw new UnreadableUrlError("there is no listener any more");
		const { chosen, near } = await inSlices(findRoute(this.#options.store, asked));
		const policy = this.#policyFor({ chosen, near }, undefined);
		const lists = this.#listsOf(policy.policy?.document);
		const base = { question: seenQuestion(seen), config, nowMs: seen.nowMs, route: chosen, near };
		return this.#answered({ ...base, ...policy, lists, limits: seen.limits, seen });
	}

	/** Of the store: what was taken down under another one may have met other documents. */
	get revision(): number {
		return this.#options.store.version();
	}

	close(): Promise<void> {
		return this.#queue.close();
	}

	#named({ chosen, near }: FoundRoute, { edgeId, routeId }: NamedRoute): FoundRoute | undefined {
		if (chosen?.edge_id === edgeId && chosen.route_id === routeId) return { chosen, near };
		const stored = this.#options.store.route(edgeId, routeId);
		if (stored === undefined) return undefined;
		const { document } = stored;
		const where =
			chosen === undefined
				? "no route takes it"
				: `it would come to the route ${chosen.route_id} of the edge ${chosen.edge_id}`;
		return {
			chosen: {
				...{ edge_id: edgeId, route_id: routeId, hostport: "", reached: false, document },
				...{ match_type: document.match_type, match: document.match },
				why: `You asked for this route. As sent, ${where}.`,
			},
			near,
		};
	}

	#policyFor(
		{ chosen }: FoundRoute,
		given: PolicyDocument | undefined,
	): Pick<ExplainTask, "policy" | "source" | "etag"> {
		if (given !== undefined) {
			const policy = { document: given, key: `given ${++this.#given}` };
			return { policy, source: "given", etag: null };
		}
		const stored = chosen && this.#options.store.policy(chosen.edge_id, chosen.route_id);
		if (stored === undefined) return { policy: undefined, source: "none", etag: null };
		const { document, etag } = stored;
		const key = `${chosen?.edge_id}/${chosen?.route_id} ${etag}`;
		return { policy: { document, key }, source: "stored", etag };
	}

	#listsOf(document: PolicyDocument | undefined): ExplainTask["lists"] {
		const names = new Set(
			document === undefined ? [] : listsNamedIn(document).map(({ name }) => name),
		);
		// Which may be long, so they are read only if the thread has not got them at this version of the store.
		const version = this.#options.store.version();
		return [...names].map((name) => ({ name, key: `${name} ${version}` }));
	}

	async #answered(first: ExplainTask): Promise<Explanation> {
		let task = first;
		for (let round = 0; round < LIMITS.explainRounds; round++) {
			const answer = await this.#ask(task);
			if ("explanation" in answer) return answer.explanation;
			if ("problem" in answer) throw new UnreadableUrlError(answer.problem);
			if ("limits" in answer) {
				const look = (each: LimitQuestion): LimitAnswer =>
					task.seen === undefined ? this.#look(each) : untold(each);
				const told = answer.limits.map((each) => [questionKey(each), look(each)] as const);
				task = { ...task, limits: [...task.limits, ...told] };
			} else {
				const wanted = new Set(answer.lists);
				const lists = task.lists.map((list) =>
					wanted.has(list.name)
						? { ...list, entries: this.#options.store.ipListEntries(list.name) ?? "" }
						: list,
				);
				task = { ...task, lists };
			}
		}
		throw new ExplainerBusyError("it asks for too many rate-limits");
	}

	/** As `GET …/rate-limits/{limit}/keys/{key…}` looks: nothing is counted. */
	#look({ identity, purpose, cost, parts }: LimitQuestion): LimitAnswer {
		const counts = this.#options.counts();
		if (counts === undefined) return untold({ identity });
		const answer = counts.look(identity, (limit) => {
			const waitMs = limit.decide(purpose, cost, parts);
			const { remaining, freesMs } = limit.room;
			return { known: true, waitMs, remaining, freesMs };
		});
		return answer ?? { ...untold({ identity }), known: true };
	}

	#ask(task: ExplainTask): Promise<ExplainAnswer> {
		if (!this.#queue.hasRoom("first"))
			return Promise.reject(new ExplainerBusyError("too many explanations wait"));
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				this.#queue.withdraw(ticket);
				reject(new ExplainerBusyError("it takes too long"));
			}, LIMITS.explainMs);
			const ticket = this.#queue.submit("first", task, (ended) => {
				clearTimeout(timer);
				if (ended.ok) resolve(ended.answer);
				else reject(new Error(ended.message));
			});
		});
	}
}

/** As if nobody had come to it. */
const untold = ({ identity }: Pick<LimitQuestion, "identity">): LimitAnswer => ({
	...{ known: false, waitMs: 0, remaining: identity.capacity, freesMs: 0 },
});

/** Others of the process have their turn in between. */
async function inSlices<T>(steps: Generator<undefined, T, unknown>): Promise<T> {
	for (let beganMs = performance.now(); ; ) {
		const step = steps.next();
		if (step.done === true) return step.value;
		if (performance.now() - beganMs < LIMITS.explainSliceMs) continue;
		await turn();
		beganMs = performance.now();
	}
}
