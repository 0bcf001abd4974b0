/**
 * The policies of a worker's routes, opened when a request first asks for them: at the start there may be
 * 100,000, some 0.8 ms each, of which most are not asked for soon. A usual one is compiled within that request;
 * one that takes longer goes on between requests while those that want it wait (`opening-policy.ts`). Made by
 * `edge.ts`, asked by `routes.ts`.
 */

import type { CompileContext, PreparedPolicy, preparePolicy } from "../../policy/compile.ts";
import type { CompiledPolicy, Outcome } from "../../policy/exchange.ts";
import type { PolicyDocument } from "../../policy/schema.ts";
import type { Stored, StoreReader } from "../../store/store.ts";
import type { ProgramMaker } from "../../threads/program-maker.ts";
import type { ExpressionThreads } from "./expression-threads.ts";
import { OpeningPolicy } from "./policy-slot.ts";
import { Compilation, Turns } from "./compilation.ts";
import { PreparedPolicies } from "./prepared-policies.ts";
import { SharedPolicies, type SharedPolicy } from "./shared-policies.ts";
import { TurnBudget } from "./turn-budget.ts";

export interface RoutePoliciesOptions {
	readonly reader: Pick<StoreReader, "policy">;
	readonly prepare: typeof preparePolicy;
	/** compiles what is too long for the event loop */
	readonly programs: ProgramMaker;
	readonly threads: ExpressionThreads;
	/** what a policy needs besides its route */
	readonly context: Omit<CompileContext, "edgeId" | "routeId" | "keep">;
	/** a stored policy that can't be compiled: the route answers 500 until it is replaced */
	readonly onBroken: (edgeId: string, routeId: string, error: unknown) => void;
}

/** Whose policy it is. */
export interface PolicyOwner {
	readonly edgeId: string;
	readonly routeId: string;
}

/** Called when what stood in for a policy has become one. */
export type OnOpened = (
	owner: PolicyOwner,
	standIn: CompiledPolicy,
	policy: CompiledPolicy,
) => void;

/** A policy that requests wait for. */
interface Job {
	readonly owner: PolicyOwner;
	readonly etag: string;
	readonly preparation: Compilation;
	readonly standIn: OpeningPolicy;
	readonly onOpened: OnOpened;
}

const FAILED: Outcome = Object.freeze({ kind: "failed" });
const BROKEN_POLICY: CompiledPolicy = Object.freeze({
	enabled: true,
	inboundEmpty: false,
	outboundEmpty: true,
	inbound: () => FAILED,
	outbound: () => FAILED,
	resume: () => FAILED,
	close: () => {},
});

/** The same while a policy can't be read; the next request tries again. */
export const UNREADABLE: CompiledPolicy = Object.freeze({ ...BROKEN_POLICY });

const nobodyAsks = (): void => {};

export class PolicyLoader {
	readonly #options: RoutePoliciesOptions;
	readonly #shared: SharedPolicies;
	readonly #ahead: PreparedPolicies;
	/** those that are opened between requests, one after the other */
	#opening: Promise<void> = Promise.resolve();
	/** etags of those, each as often as it is among them */
	readonly #underWay: string[] = [];
	/** those that what is prepared will need */
	#letGo: (() => void) | undefined;
	/** those that this turn had no time for */
	readonly #soon: Job[] = [];
	readonly #turn = new TurnBudget();

	constructor(options: RoutePoliciesOptions) {
		this.#options = options;
		this.#shared = new SharedPolicies(options.threads);
		this.#ahead = new PreparedPolicies(options.prepare, options.programs, this.#shared);
	}

	/**
	 * For a request that runs. Never throws: what can't be opened answers 500.
	 * @param onOpened called later, if the policy that is returned only stands in for one
	 */
	open(owner: PolicyOwner, onOpened: OnOpened): CompiledPolicy | undefined {
		let stored: Stored<PolicyDocument> | undefined;
		try {
			stored = this.#options.reader.policy(owner.edgeId, owner.routeId);
		} catch (error) {
			this.#broken(owner, error);
			return UNREADABLE;
		}
		try {
			return stored === undefined ? undefined : this.#openStored(owner, stored, onOpened);
		} catch (error) {
			return this.#broken(owner, error);
		}
	}

	/** As `open`, if that takes no compiling; else undefined. */
	openReady(owner: PolicyOwner, { etag }: Stored<PolicyDocument>): CompiledPolicy | undefined {
		const shared = this.#shared.find(etag);
		if (shared === undefined || !this.#mayRun(shared.prepared)) return undefined;
		try {
			return this.#openShared(owner, shared);
		} catch (error) {
			return this.#broken(owner, error);
		}
	}

	/**
	 * Makes ready what `openReady` will be asked for, between requests, and keeps it until `forgetPrepared`.
	 * @param onProgress called after each slice
	 */
	async prepare(policies: Iterable<Stored<PolicyDocument>>, onProgress: () => void): Promise<void> {
		try {
			await this.#ahead.prepare(policies, onProgress);
		} catch {
			// What can't be compiled is met again by the request that asks for it, and reported.
		}
		if (!this.#ahead.mayWait) return;
		// Until the policies that are about to be opened keep them.
		this.#letGo ??= this.#options.threads.keep();
		await this.#options.threads.ready();
	}

	forgetPrepared(): void {
		this.#ahead.clear();
		this.#letGo?.();
		this.#letGo = undefined;
	}

	#openStored(
		owner: PolicyOwner,
		{ document, etag }: Stored<PolicyDocument>,
		onOpened: OnOpened,
	): CompiledPolicy {
		const known = this.#shared.find(etag);
		if (known !== undefined && this.#mayRun(known.prepared)) return this.#openShared(owner, known);
		const { edgeId, routeId } = owner;
		const preparation = new Compilation(this.#options.prepare(document));
		const standIn = new OpeningPolicy();
		// The route itself may be replaced meanwhile.
		const job = { owner: { edgeId, routeId }, etag, preparation, standIn, onOpened };
		if (known !== undefined || this.#underWay.includes(etag)) this.#openLater(job);
		else if (this.#turn.left <= 0) this.#openSoon(job);
		else {
			const policy = this.#openNow(job);
			if (policy !== undefined) return policy;
			this.#openLater(job);
		}
		return standIn;
	}

	/** @returns undefined if it takes longer, or threads */
	#openNow({ owner, etag, preparation }: Job): CompiledPolicy | undefined {
		const known = this.#shared.find(etag);
		const prepared = known?.prepared ?? this.#turn.spend(preparation);
		if (prepared === undefined || !this.#mayRun(prepared)) return undefined;
		return this.#openShared(owner, known ?? this.#shared.add(etag, prepared));
	}

	/** In one of the next turns, as soon as if it had been asked for then. */
	#openSoon(job: Job): void {
		if (this.#soon.push(job) === 1) setImmediate(this.#goOn);
	}

	readonly #goOn = (): void => {
		while (this.#turn.left > 0) {
			const job = this.#soon.shift();
			if (job === undefined) return;
			try {
				const policy = this.#openNow(job);
				if (policy === undefined) this.#openLater(job);
				else this.#opened(job, policy);
			} catch (error) {
				this.#opened(job, this.#broken(job.owner, error));
			}
		}
		if (this.#soon.length > 0) setImmediate(this.#goOn);
	};

	/** After all that take long, too. */
	#openLater(job: Job): void {
		this.#underWay.push(job.etag);
		this.#opening = this.#opening
			.then(() => this.#openSlowly(job))
			.catch((error: unknown) => this.#broken(job.owner, error))
			.then((policy) => {
				// They end in the order in which they came.
				this.#underWay.shift();
				const opened = (): void => this.#opened(job, policy);
				if (this.#shared.find(job.etag)?.prepared.mayWait !== true) opened();
				// Nobody else waits for the threads.
				else void this.#options.threads.ready().then(opened, opened);
			});
	}

	#opened({ owner, standIn, onOpened }: Job, policy: CompiledPolicy): void {
		onOpened(owner, standIn, policy);
		standIn.opened(policy);
	}

	async #openSlowly({ owner, etag, preparation }: Job): Promise<CompiledPolicy> {
		const { programs } = this.#options;
		const turns = new Turns(nobodyAsks);
		const shared =
			this.#shared.find(etag) ?? this.#shared.add(etag, await preparation.finish(programs, turns));
		return this.#openShared(owner, shared);
	}

	/** Held meanwhile, so that it is forgotten even if it can't be opened. */
	#openShared({ edgeId, routeId }: PolicyOwner, shared: SharedPolicy): CompiledPolicy {
		shared.hold();
		try {
			return shared.open({ ...this.#options.context, edgeId, routeId });
		} finally {
			shared.release();
		}
	}

	#mayRun({ mayWait }: PreparedPolicy): boolean {
		return !mayWait || this.#options.threads.areReady;
	}

	#broken({ edgeId, routeId }: PolicyOwner, error: unknown): CompiledPolicy {
		this.#options.onBroken(edgeId, routeId, error);
		return BROKEN_POLICY;
	}
}
