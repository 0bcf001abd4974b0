/**
 * Compiled documents in use, one for all routes that have the same: only what belongs to a route, such as its
 * rate-limits, is made for each. A document that no route has any more is forgotten with the last. Used by
 * `route-policies.ts` and `prepared-policies.ts`.
 */
import type { CompileContext, PreparedPolicy } from "../../policy/compile.ts";
import type { CompiledPolicy } from "../../policy/exchange.ts";
import type { ExpressionThreads } from "./expression-threads.ts";

export class SharedPolicy {
	readonly prepared: PreparedPolicy;
	readonly #owner: SharedPolicies;
	readonly #etag: string;
	#holders = 0;

	constructor(prepared: PreparedPolicy, owner: SharedPolicies, etag: string) {
		this.prepared = prepared;
		this.#owner = owner;
		this.#etag = etag;
	}

	/** Held until the policy is closed, and the threads with it if its expressions may be suspended. */
	open(context: Omit<CompileContext, "keep">): CompiledPolicy {
		return this.prepared.open({ ...context, keep: () => this.#keep() });
	}

	/** Every call needs a `release`. */
	hold(): void {
		this.#holders += 1;
	}

	release(): void {
		this.#holders -= 1;
		if (this.#holders === 0) this.#owner.forget(this.#etag);
	}

	#keep(): () => void {
		this.hold();
		if (!this.prepared.mayWait) return () => this.release();
		const letGo = this.#owner.threads.keep();
		return () => {
			letGo();
			this.release();
		};
	}
}

export class SharedPolicies {
	readonly threads: ExpressionThreads;
	/** by etag, a digest of the document */
	readonly #inUse = new Map<string, SharedPolicy>();

	constructor(threads: ExpressionThreads) {
		this.threads = threads;
	}

	/** distinct documents */
	get size(): number {
		return this.#inUse.size;
	}

	find(etag: string): SharedPolicy | undefined {
		return this.#inUse.get(etag);
	}

	/** To be held by whoever adds it. Somebody may have been quicker: then theirs is given back. */
	add(etag: string, prepared: PreparedPolicy): SharedPolicy {
		const known = this.#inUse.get(etag);
		if (known !== undefined) return known;
		const shared = new SharedPolicy(prepared, this, etag);
		this.#inUse.set(etag, shared);
		return shared;
	}

	/** Called by the document that nobody holds any more. */
	forget(etag: string): void {
		this.#inUse.delete(etag);
	}
}
