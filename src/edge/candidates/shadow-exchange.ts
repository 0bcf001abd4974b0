/**
 * A live request as its route's candidate sees it: as the client sent it, without what the stored policy has changed. What
 * the candidate's actions change stands here alone, and what they tell is told to nobody. Made by `candidate-run.ts`.
 */
import type { GeoRecord } from "../../cel/attributes.ts";
import type { JsonValue, Place } from "../../policy/exchange.ts";
import { Exchange } from "../exchange.ts";
import type { Services } from "../services.ts";

export class ShadowExchange extends Exchange {
	readonly #live: Exchange;

	constructor(live: Exchange, services: Services) {
		super(live.response, live.listenerContext, live.head, services, live.client);
		this.#live = live;
		this.route = live.route;
		const own = live.ownResponseChanges;
		if (own !== undefined) this.setOnEveryResponse(own);
	}

	// Both judge the same moment, and what can't be read any more once there is an answer is read by the live one.
	override get nowMs(): number {
		return this.#live.nowMs;
	}
	override get requestReceivedMs(): number {
		return this.#live.requestReceivedMs;
	}
	override get peer(): string {
		return this.#live.peer;
	}
	override get clientIp(): string {
		return this.#live.clientIp;
	}
	override get geo(): GeoRecord {
		return this.#live.geo;
	}
	override get requestId(): string {
		return this.#live.requestId;
	}

	override log(_metadata: JsonValue): void {
		this.acts();
	}
	override wouldHave(_place: Place, _type: string): void {}
	override limitExceeded(): void {}
	override expressionFailed(_place: Place, _message: string): void {}

	/** Does what rate-limits have left to be done; what would need a thread is left out. */
	override answered(statusCode: number): void {
		const { answerTasks, services } = this;
		if (answerTasks === undefined || statusCode === 0) return;
		if (statusCode !== this.responseStatusCode) this.setResponse(statusCode, [], 0);
		answerTasks.run(this, NOBODY, services.log);
	}
}

const NOBODY = { evaluate: () => ({ cancel: () => {} }) };
