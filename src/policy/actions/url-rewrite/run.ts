/**
 * Makes another URL of that of one request. Where the search for matches may take long, the request is suspended and
 * another thread searches. Made by `url-rewrite.ts`, which puts the result in the URL's place, and by `redirect.ts`, one
 * object for each action of a policy.
 */
import { takeInline } from "../../../cel/evaluation.ts";
import {
	EvaluationFailure,
	type Matches,
	type Pattern,
	type Settled,
	type Settlement,
	type Suspension,
	type Template,
} from "../../../cel/expression.ts";
import { LIMITS } from "../../../limits/limits.ts";
import type { Outcome, Place, PolicyExchange } from "../../exchange.ts";
import { CONTINUE, FAILED, failedBy } from "../../outcomes.ts";
import type { RunnableAction } from "../action.ts";
import type { ReplacementPart } from "./replacement.ts";
import { urlVariable } from "./variables.ts";

/** A part of the replacement at run time. All parts have all fields, so that hot code sees one shape of object. */
interface Filler {
	/** number of the pattern's group; 0 for parts that are the same for every match */
	readonly group: number;
	readonly variable: ReturnType<typeof urlVariable> | undefined;
	readonly template: Template | undefined;
	/** the part's text: fixed for a literal, otherwise filled in by the run in progress */
	text: string;
}

function fillerFor(part: ReplacementPart): Filler {
	return {
		group: part.kind === "group" ? part.number : 0,
		variable: part.kind === "variable" ? urlVariable(part.name) : undefined,
		template: part.kind === "template" ? part.template : undefined,
		text: part.kind === "literal" ? part.text : "",
	};
}

const TOO_LONG = "the rewritten URL is too long";
const TOO_OFTEN = "the pattern matches too often in a URL of this length";

/** Thrown to leave a search in progress, for which there is no other way, and caught within this class. */
const STOP = new Error("the search for matches was stopped");

const isMatches = (known: Settlement | undefined): known is Matches => Array.isArray(known);

/** What becomes of the URL that comes out. */
export interface UrlUse {
	/** Nothing matched, or the result is the URL that there was. */
	unchanged(exchange: PolicyExchange): Outcome;
	/** @returns why the result is of no use, as a sentence, which fails the request */
	changed(
		exchange: PolicyExchange,
		url: string,
		settled: Settled | undefined,
	): Outcome | Suspension | string;
	/** Told of each match, if given. */
	readonly matched?: (text: string) => void;
}

/** url-rewrite puts the result in the URL's place. */
const REWRITE: UrlUse = {
	unchanged: () => CONTINUE,
	changed: (exchange, url) =>
		exchange.rewriteUrl(url) ? CONTINUE : "the rewritten URL is no URL with a valid request target",
};

export class UrlRewrite implements RunnableAction {
	readonly #pattern: Pattern;
	/** asks another thread for all matches in the URL */
	readonly #search: Suspension;
	readonly #fillers: readonly Filler[];
	readonly #place: Place;
	readonly #use: UrlUse;
	/** state of the run in progress; `run` is synchronous and starts it anew */
	#exchange: PolicyExchange | undefined;
	#settled: Settled | undefined;
	#failure: EvaluationFailure | undefined;
	#suspension: Suspension | undefined;
	#characters = 0;
	#matchesLeft = 0;

	constructor(
		pattern: Pattern,
		search: Suspension,
		replacement: readonly ReplacementPart[],
		place: Place,
		use = REWRITE,
	) {
		this.#use = use;
		this.#pattern = pattern;
		this.#search = Object.freeze(search);
		this.#fillers = replacement.map(fillerFor);
		this.#place = place;
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const before = exchange.url.full;
		const known = settled?.get(this.#search);
		if (known instanceof EvaluationFailure) return this.#fail(exchange, known.message);
		const found = isMatches(known) ? known : undefined;
		if (found === undefined && !takeInline(this.#pattern.replaceCost(before))) return this.#search;
		this.#exchange = exchange;
		this.#settled = settled;
		this.#failure = undefined;
		this.#suspension = undefined;
		this.#characters = 0;
		this.#matchesLeft = Math.floor(LIMITS.rewriteScanCharacters / before.length);
		const after = this.#replaced(before, found);
		this.#exchange = undefined;
		this.#settled = undefined;
		if (this.#suspension !== undefined) return this.#suspension;
		const failure = this.#failure as EvaluationFailure | undefined;
		if (failure !== undefined) {
			exchange.expressionFailed(this.#place, failure.message);
			return failedBy(failure);
		}
		if (after === before) return this.#use.unchanged(exchange);
		if (this.#characters > LIMITS.rewrittenUrlCharacters) return this.#fail(exchange, TOO_LONG);
		if (after === undefined) return this.#fail(exchange, TOO_OFTEN);
		if (after.length > LIMITS.rewrittenUrlCharacters) return this.#fail(exchange, TOO_LONG);
		const outcome = this.#use.changed(exchange, after, settled);
		return typeof outcome === "string" ? this.#fail(exchange, outcome) : outcome;
	}

	/** Fails whatever `expression_errors` says: a client must not get past a rewrite by the length of its URL. */
	#fail(exchange: PolicyExchange, reason: string): Outcome {
		exchange.expressionFailed(this.#place, reason);
		return FAILED;
	}

	/** @returns undefined if the search was stopped before the last match */
	#replaced(before: string, found: Matches | undefined): string | undefined {
		try {
			return this.#pattern.replace(before, this.#replacement, found);
		} catch (error) {
			if (error === STOP) return undefined;
			throw error;
		}
	}

	/** The text for one match. Made once, not for each request. Stops the search where the result is refused anyway. */
	readonly #replacement = (groups: readonly (string | undefined)[]): string => {
		if (this.#exchange !== undefined) {
			this.#fill(this.#exchange);
			this.#exchange = undefined;
		}
		this.#matchesLeft--;
		this.#use.matched?.(groups[0] ?? "");
		if (this.#failure !== undefined || this.#suspension !== undefined) throw STOP;
		if (this.#matchesLeft < 0) throw STOP;
		if (this.#characters > LIMITS.rewrittenUrlCharacters) throw STOP;
		let text = "";
		for (let index = 0; index < this.#fillers.length; index++) {
			const filler = this.#fillers[index];
			if (filler === undefined) continue;
			text += filler.group > 0 ? (groups[filler.group] ?? "") : filler.text;
		}
		this.#characters += text.length;
		return text;
	};

	/** At the first match: fills in the variables and templates, which are the same for all matches of this run. */
	#fill(exchange: PolicyExchange): void {
		for (let index = 0; index < this.#fillers.length; index++) {
			const filler = this.#fillers[index];
			if (filler === undefined) continue;
			if (filler.variable !== undefined) filler.text = filler.variable(exchange.url);
			else if (filler.template !== undefined) {
				const text = filler.template.render(exchange, this.#settled);
				if (typeof text === "string") {
					filler.text = text;
					continue;
				}
				if (text instanceof EvaluationFailure) this.#failure = text;
				else this.#suspension = text;
				return;
			}
		}
	}
}
