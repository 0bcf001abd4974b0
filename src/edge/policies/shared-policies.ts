/**
 * Compiled documents, one for all routes that have the same. Only what belongs to a route, such as its
 * rate-limits, is made for each route. A document is forgotten when the last route that has it lets go of it.
 * Used by `policy-loader.ts`.
 */

import { HashTable, hashOf } from "../../hash-table.ts";
import type { CompiledPolicy } from "../../policy/exchange.ts";
import type { CompileContext, PreparedPolicy } from "../../policy/rules/compile.ts";
import type { PolicyKeeper } from "../../policy/rules/runnable-policy.ts";
import type { ExpressionThreads } from "./expression-threads.ts";

type RouteIds = Pick<CompileContext, "edgeId" | "routeId">;
/** What a policy needs besides its route. */
export type OwnerlessContext = Omit<CompileContext, keyof RouteIds | "keeper">;

export class SharedPolicy implements PolicyKeeper {
	readonly prepared: PreparedPolicy;
	readonly #threads: ExpressionThreads;
	readonly etag: string;
	/** of all in use */
	readonly #among: PolicyTable;
	#holders = 0;

	/** Fields instead of closures: there may be 100,000. */
	constructor(
		prepared: PreparedPolicy,
		threads: ExpressionThreads,
		etag: string,
		among: PolicyTable,
	) {
		this.prepared = prepared;
		this.#threads = threads;
		this.etag = etag;
		this.#among = among;
	}

	/** Held until the policy is closed, and the threads with it if its expressions may need them. */
	open(context: OwnerlessContext, { edgeId, routeId }: RouteIds): CompiledPolicy {
		const { limiters, ipv6Prefix, addressLists, expressionErrors, ruleCounts } = context;
		// Held meanwhile too, so that it is forgotten even if it can't be opened.
		this.hold();
		try {
			return this.prepared.open({
				// Not spread: an object that is takes ten times as long to make.
				edgeId,
				routeId,
				limiters,
				ipv6Prefix,
				addressLists,
				expressionErrors,
				ruleCounts,
				keeper: this,
			});
		} finally {
			this.release();
		}
	}

	/** Every call needs a `release`. */
	hold(): void {
		this.#holders += 1;
	}

	release(): void {
		this.#holders -= 1;
		if (this.#holders === 0) this.#among.delete(this.etag);
	}

	policyOpened(): void {
		this.hold();
		if (this.prepared.mayWait) this.#threads.keep();
	}

	policyClosed(): void {
		if (this.prepared.mayWait) this.#threads.release();
		this.release();
	}
}

class PolicyTable extends HashTable<string, SharedPolicy> {
	protected hash(etag: string): number {
		return hashOf(etag);
	}
	protected isOf(policy: SharedPolicy, etag: string): boolean {
		return policy.etag === etag;
	}
}

export class SharedPolicies {
	readonly #threads: ExpressionThreads;
	/** by etag, a digest of the document */
	readonly #inUse = new PolicyTable();

	constructor(threads: ExpressionThreads) {
		this.#threads = threads;
	}

	get size(): number {
		return this.#inUse.size;
	}

	find(etag: string): SharedPolicy | undefined {
		return this.#inUse.get(etag);
	}

	/** To be held or opened by whoever adds it. @returns the one that is there already, if there is one */
	add(etag: string, prepared: PreparedPolicy): SharedPolicy {
		const known = this.#inUse.get(etag);
		if (known !== undefined) return known;
		const shared = new SharedPolicy(prepared, this.#threads, etag, this.#inUse);
		this.#inUse.set(etag, shared);
		return shared;
	}
}
