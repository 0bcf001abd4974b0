/**
 * What a request's policy does besides deciding: log entries, reports of what it would have done, results for later
 * expressions. `exchange.ts` has it all by inheritance, so that a request without a policy pays for no further object.
 */
import type { Derived } from "../cel/values/kept.ts";
import type { Results } from "../cel/values/results.ts";
import { LIMITS } from "../limits/limits.ts";
import type { JsonValue, Place, Report } from "../policy/exchange.ts";
import type { Route } from "./routing/route.ts";
import type { Reported, Services } from "./services.ts";

const NO_LOGS: readonly JsonValue[] = Object.freeze([]);
const NO_REPORTS: readonly Reported[] = Object.freeze([]);

export abstract class PolicyEffects {
	route: Route | undefined;
	derived: Derived | undefined;
	results: Results | undefined;
	report: Report | undefined;
	inlineNanoseconds: number = LIMITS.requestInlineNanoseconds;
	protected readonly services: Services;
	#logs: JsonValue[] | undefined;
	#reports: Reported[] | undefined;

	constructor(services: Services) {
		this.services = services;
	}

	abstract get loggedIp(): string;

	get edgeId(): string {
		return this.route?.edgeId ?? "";
	}
	get routeId(): string {
		return this.route?.routeId ?? "";
	}

	/** To be asked before something is changed. @returns false under a rule that only reports, which is told of it */
	protected acts(): boolean {
		if (this.report === undefined) return true;
		this.report.acted = true;
		return false;
	}

	/** metadata of log actions, in order */
	get logs(): readonly JsonValue[] {
		return this.#logs ?? NO_LOGS;
	}
	log(metadata: JsonValue): void {
		if (!this.acts()) return;
		this.#logs ??= [];
		this.#logs.push(metadata);
	}

	/** of actions that are not enforced, in order */
	get reports(): readonly Reported[] {
		return this.#reports ?? NO_REPORTS;
	}
	wouldHave(place: Place, type: string): void {
		this.#reports ??= [];
		this.#reports.push({ place, type });
		this.services.reported(this, type);
	}

	limitExceeded(_place: Place, _name: string, _retryAfterMs: number, enforced: boolean): void {
		const route = this.route;
		if (route === undefined) return;
		const acts = enforced && this.report === undefined;
		this.services.metrics.add(acts ? route.series.limited : route.series.overLimit);
	}
	expressionFailed(place: Place, message: string): void {
		this.services.reportFailure(this, place, message);
	}
}
