/**
 * The last policies that were found valid, by their text: tools put the same one to many routes, put again what is stored,
 * or go back and forth between two. A check is a pure function of the text and of the settings. None with secrets is kept.
 * Used by `policy-checker.ts`.
 */
import { LIMITS } from "../limits/limits.ts";
import { hasSecrets } from "../policy/document/seal.ts";
import type { ValidationOptions } from "../policy/document/validate.ts";
import type { PolicyCheck, PolicyFormat } from "./policy-check.ts";

type Valid = Extract<PolicyCheck, { outcome: "valid" }>;

interface Known {
	readonly text: Uint8Array;
	readonly format: PolicyFormat;
	readonly check: Valid;
}

export class KnownChecks {
	#limits: ValidationOptions | undefined;
	readonly #known: Known[] = [];
	/** the one that goes next */
	#oldest = 0;

	/** @param limits what is known by others is forgotten */
	find(text: Uint8Array, format: PolicyFormat, limits: ValidationOptions): Valid | undefined {
		if (limits !== this.#limits) {
			this.#known.length = 0;
			this.#oldest = 0;
			this.#limits = limits;
		}
		for (const known of this.#known) {
			const isSame = known.format === format && known.text.byteLength === text.byteLength;
			if (isSame && Buffer.compare(known.text, text) === 0) return known.check;
		}
		return undefined;
	}

	/** @param text nobody writes to it any more; not known yet, as `find` has just said */
	add(text: Uint8Array, format: PolicyFormat, check: PolicyCheck): void {
		if (check.outcome !== "valid" || hasSecrets(check.document)) return;
		this.#known[this.#oldest] = { text, format, check };
		this.#oldest = (this.#oldest + 1) % LIMITS.policyChecksKnown;
	}
}
