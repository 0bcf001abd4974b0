/**
 * Policies made ready ahead of the moment in which they are swapped in, so that the swap itself takes next to
 * nothing. What they share with routes that have them already is not made again. Used by `route-policies.ts`
 * for announced changes.
 */

import type { preparePolicy } from "../../policy/compile.ts";
import type { PolicyDocument } from "../../policy/schema.ts";
import type { Stored } from "../../store/store.ts";
import type { ProgramMaker } from "../../threads/program-maker.ts";
import { Compilation, Turns } from "./compilation.ts";
import type { SharedPolicies, SharedPolicy } from "./shared-policies.ts";

export class PreparedPolicies {
	readonly #prepare: typeof preparePolicy;
	readonly #programs: ProgramMaker;
	readonly #shared: SharedPolicies;
	/** by etag; held until `clear` */
	readonly #ready = new Map<string, SharedPolicy>();

	constructor(prepare: typeof preparePolicy, programs: ProgramMaker, shared: SharedPolicies) {
		this.#prepare = prepare;
		this.#programs = programs;
		this.#shared = shared;
	}

	/**
	 * In slices between requests. @param onTurn called after each turn that it took
	 * @throws Error for a document that was not validated; those before it are ready
	 */
	async prepare(policies: Iterable<Stored<PolicyDocument>>, onTurn: () => void): Promise<void> {
		const turns = new Turns(onTurn);
		for (const { document, etag } of policies) {
			if (this.#ready.has(etag)) continue;
			const shared = this.#shared.find(etag) ?? (await this.#make(document, etag, turns));
			shared.hold();
			this.#ready.set(etag, shared);
		}
	}

	/** Is there one whose expressions may be suspended? */
	get mayWait(): boolean {
		for (const { prepared } of this.#ready.values()) if (prepared.mayWait) return true;
		return false;
	}

	/** Forgets what was made ready in vain; what was opened stays known to `SharedPolicies`. */
	clear(): void {
		for (const shared of this.#ready.values()) shared.release();
		this.#ready.clear();
	}

	async #make(document: PolicyDocument, etag: string, turns: Turns): Promise<SharedPolicy> {
		const preparation = new Compilation(this.#prepare(document));
		return this.#shared.add(etag, await preparation.finish(this.#programs, turns));
	}
}
