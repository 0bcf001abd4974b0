/**
 * Compiles the policies of a worker's routes, each when a request first asks for it: at the start there may be
 * 100,000, some 0.8 ms each, and most are not asked for soon. `policy-slot.ts` has the states of a policy and
 * what moves it on. Made by `edge-parts.ts`, asked by `routing/route-table.ts`.
 *
 * A policy is compiled within the request that asks for it, as far as the turn's budget goes. What does not fit
 * is compiled in one of the next turns (`#soon`), and what takes longer than a whole budget, or needs threads,
 * goes one by one through slices between requests (`#slowly`). Policies of announced changes are compiled
 * before the change is applied (`prepare`), so that applying it takes next to nothing.
 */

import type { PolicyDocument } from "../../policy/document/schema.ts";
import type { CompiledPolicy } from "../../policy/exchange.ts";
import type { PreparedPolicy, preparePolicy } from "../../policy/rules/compile.ts";
import type { Stored, StoreReader } from "../../store/store.ts";
import type { ProgramMaker } from "../../threads/program-maker.ts";
import { Ahead } from "./ahead.ts";
import { Compilation, isLong, Slices, TurnBudget } from "./compilation.ts";
import type { ExpressionThreads } from "./expression-threads.ts";
import { Lane } from "./lane.ts";
import { NONE, PolicySlot, UNREADABLE } from "./policy-slot.ts";
import { type OwnerlessContext, SharedPolicies, type SharedPolicy } from "./shared-policies.ts";

interface PolicyLoaderOptions {
	readonly reader: Pick<StoreReader, "policy">;
	readonly prepare: typeof preparePolicy;
	/** compiles what is too long for the event loop */
	readonly programs: ProgramMaker;
	readonly threads: ExpressionThreads;
	readonly context: OwnerlessContext;
	/** A stored policy can't be read or compiled. */
	readonly onBroken: (edgeId: string, routeId: string, error: unknown) => void;
}

/** Whose policy it is. */
export interface PolicyOwner {
	readonly edgeId: string;
	readonly routeId: string;
}

/** A slot that is `opening`. */
interface Job {
	readonly slot: PolicySlot;
	readonly owner: PolicyOwner;
	readonly etag: string;
	readonly compilation: Compilation;
}

export class PolicyLoader {
	readonly #options: PolicyLoaderOptions;
	readonly #shared: SharedPolicies;
	readonly #turn = new TurnBudget();
	/** jobs for which this turn had no budget left */
	readonly #soon: Job[] = [];
	/** the end of the queue of jobs that are done in slices, one after the other */
	#slowly: Promise<void> = Promise.resolve();
	/** etags of that queue, in its order */
	readonly #slowEtags: string[] = [];
	/** policies of announced changes, so that a short one never waits for a long one */
	readonly #longAhead = new Lane();
	readonly #shortAhead = new Lane();

	constructor(options: PolicyLoaderOptions) {
		this.#options = options;
		this.#shared = new SharedPolicies(options.threads);
	}

	/** different policies that are compiled */
	get inUse(): number {
		return this.#shared.size;
	}

	/** For the first request that comes to a route whose policy is `stored`. Never throws. */
	open({ edgeId, routeId }: PolicyOwner): PolicySlot {
		let stored: Stored<PolicyDocument> | undefined;
		try {
			stored = this.#options.reader.policy(edgeId, routeId);
		} catch (error) {
			this.#options.onBroken(edgeId, routeId, error);
			return UNREADABLE;
		}
		if (stored === undefined) return NONE;
		const slot = new PolicySlot();
		const { document, etag } = stored;
		// The route itself may be replaced meanwhile, so the job has no reference to it.
		const owner = { edgeId, routeId };
		const compilation = new Compilation(document, this.#options.prepare);
		this.#begin({ slot, owner, etag, compilation });
		return slot;
	}

	/** For a policy that is published. @returns a slot that is `ready` or `failed`; undefined if it is not compiled */
	openCompiled(
		owner: PolicyOwner,
		{ etag }: Pick<Stored<PolicyDocument>, "etag">,
	): PolicySlot | undefined {
		const shared = this.#shared.find(etag);
		if (shared === undefined || !this.#canRun(shared.prepared)) return undefined;
		const slot = new PolicySlot();
		this.#fill(slot, owner, shared);
		return slot;
	}

	/**
	 * Compiles what `openCompiled` will be asked for, in slices between requests. Changes may be prepared side by side: of
	 * the long policies among them one at a time, and of the others one at a time.
	 * @param onSlice called after each slice
	 * @returns what holds them: to be released when the change is applied
	 */
	async prepare(policies: Iterable<Stored<PolicyDocument>>, onSlice: () => void): Promise<Ahead> {
		const ahead = new Ahead(this.#options.threads);
		const slices = new Slices(onSlice);
		try {
			for (const stored of policies) ahead.hold(await this.#compiled(stored, slices));
		} catch {
			// What can't be compiled is met again by the request that asks for it, and reported then.
		}
		await ahead.ready();
		return ahead;
	}

	async #compiled(
		{ document, etag }: Stored<PolicyDocument>,
		slices: Slices,
	): Promise<SharedPolicy> {
		const { prepare, programs } = this.#options;
		const known = this.#shared.find(etag);
		if (known !== undefined) return known;
		const lane = isLong(document) ? this.#longAhead : this.#shortAhead;
		return lane.run(async () => {
			const meanwhile = this.#shared.find(etag);
			if (meanwhile !== undefined) return meanwhile;
			const prepared = await new Compilation(document, prepare).finish(programs, slices);
			return this.#shared.add(etag, prepared);
		});
	}

	#begin(job: Job): void {
		const known = this.#shared.find(job.etag);
		if (known !== undefined && this.#canRun(known.prepared)) this.#fill(job.slot, job.owner, known);
		else if (known !== undefined || this.#slowEtags.includes(job.etag)) this.#openSlowly(job);
		else if (this.#turn.left > 0) this.#openNow(job);
		else if (this.#soon.push(job) === 1) setImmediate(this.#openSoon);
	}

	readonly #openSoon = (): void => {
		while (this.#turn.left > 0) {
			const job = this.#soon.shift();
			if (job === undefined) return;
			this.#openNow(job, this.#shared.find(job.etag));
		}
		if (this.#soon.length > 0) setImmediate(this.#openSoon);
	};

	/** Within this turn's budget. What needs more time, or threads, goes to the queue. */
	#openNow(job: Job, known?: SharedPolicy): void {
		const { slot, owner, etag, compilation } = job;
		try {
			const prepared = known?.prepared ?? this.#turn.spend(compilation);
			if (prepared === undefined || !this.#canRun(prepared)) this.#openSlowly(job);
			else this.#fill(slot, owner, known ?? this.#shared.add(etag, prepared));
		} catch (error) {
			this.#fail(slot, owner, error);
		}
	}

	/** When all jobs before it in the queue are done. */
	#openSlowly(job: Job): void {
		this.#slowEtags.push(job.etag);
		this.#slowly = this.#slowly.then(() => this.#finish(job));
	}

	async #finish({ slot, owner, etag, compilation }: Job): Promise<void> {
		const { programs, threads } = this.#options;
		try {
			const shared =
				this.#shared.find(etag) ??
				this.#shared.add(etag, await compilation.finish(programs, new Slices()));
			if (shared.prepared.mayWait) {
				const policy = this.#open(owner, shared);
				const ready = (): void => slot.ready(policy);
				// The next job in the queue doesn't wait for the threads.
				void threads.ready().then(ready, ready);
			} else this.#fill(slot, owner, shared);
		} catch (error) {
			this.#fail(slot, owner, error);
		}
		this.#slowEtags.shift();
	}

	#fill(slot: PolicySlot, owner: PolicyOwner, shared: SharedPolicy): void {
		let policy: CompiledPolicy;
		try {
			policy = this.#open(owner, shared);
		} catch (error) {
			this.#fail(slot, owner, error);
			return;
		}
		slot.ready(policy);
	}

	#fail(slot: PolicySlot, { edgeId, routeId }: PolicyOwner, error: unknown): void {
		this.#options.onBroken(edgeId, routeId, error);
		slot.fail();
	}

	#open(owner: PolicyOwner, shared: SharedPolicy): CompiledPolicy {
		return shared.open(this.#options.context, owner);
	}

	/** Its expressions need no threads, or the threads are up. */
	#canRun({ mayWait }: PreparedPolicy): boolean {
		return !mayWait || this.#options.threads.areReady;
	}
}
