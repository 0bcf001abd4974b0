/**
 * A client that waits to be asked for its body (`expect: 100-continue`; contract 6, RFC 9110 10.1.1). The backend is
 * asked in turn, so that one that refuses an upload by its header alone is not sent it: the request goes on at once, with
 * the client's expectation, and the client is told to go on when the backend says so. Where a backend says nothing for
 * `LIMITS.expectationMs`, the client is told all the same. One that does so several times in a row, or breaks the
 * connection, is taken for one that knows nothing of it, and is not asked for a while; nor is one that says so (417).
 *
 * A request that waits so has a connection to the backend. Where half of its places are taken, there is none for those
 * who may never send a byte: the client is told at once, and its request waits for its body as others do (`client-body.ts`).
 * So it is with backends over TLS, whose upstream can't ask. Made by `client-body.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { Expecting, Upstream } from "../../upstream/upstream.ts";
import type { Exchange } from "../exchange.ts";

/** What came of asking a backend. */
class Asked {
	/** in a row: it said nothing, or broke the connection */
	failures = 0;
	/** `performance.now()` until when it is not asked */
	untilMs = 0;
}
const asked = new WeakMap<Upstream, Asked>();

const EXPECTATION_FAILED = 417;
/** One may be the look that comes behind a time in which this thread stood still, and before what came meanwhile is read. */
const LOOKS = 2;

export class Expectation implements Expecting {
	/** `performance.now()` since when the client need not wait; infinite before */
	metMs = Number.POSITIVE_INFINITY;
	readonly #exchange: Exchange;
	readonly #upstream: Upstream;
	#isOver = false;
	#sentMs = Number.POSITIVE_INFINITY;
	/** since then */
	#looks = 0;

	private constructor(exchange: Exchange, upstream: Upstream) {
		this.#exchange = exchange;
		this.#upstream = upstream;
	}

	/**
	 * @param isComplete of the body, whose end has come already
	 * @returns undefined if nothing is waited for: a client that waits has been told to go on
	 */
	static of(exchange: Exchange, isComplete: boolean): Expectation | undefined {
		const { client, bodyBytesIn, route } = exchange;
		if (!client.expectsContinue) return undefined;
		const upstream = route?.backend.upstream;
		const mayWait = !isComplete && bodyBytesIn === 0;
		if (mayWait && upstream !== undefined && isAsked(upstream)) {
			return new Expectation(exchange, upstream);
		}
		client.writeContinue();
		return undefined;
	}

	onAttempt(): void {
		this.#sentMs = performance.now();
		this.#looks = 0;
	}

	onContinue(): void {
		if (!this.#isOver) asked.delete(this.#upstream);
		this.met();
	}

	/** It is the client's turn, or the client has not waited. */
	met(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.metMs = performance.now();
		const { client, responseStatusCode } = this.#exchange;
		// Behind an answer that has begun the client would not understand it.
		if (responseStatusCode === 0) client.writeContinue();
	}

	/** Called every `LIMITS.slowLookMs`. @param nowMs `performance.now()` */
	look(nowMs: number): void {
		if (this.#isOver) return;
		this.#looks += 1;
		if (this.#exchange.responseStatusCode !== 0) this.drop();
		else if (this.#looks >= LOOKS && nowMs - this.#sentMs >= LIMITS.expectationMs) {
			this.#failed();
			this.met();
		}
	}

	/** It is answered, or nobody wants the body any more. */
	drop(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		const { answeredBy, responseStatusCode, failure } = this.#exchange;
		if (failure === "broken") this.#failed();
		else if (answeredBy !== "upstream") return;
		else if (responseStatusCode === EXPECTATION_FAILED) this.#rest();
		else asked.delete(this.#upstream);
	}

	/** A connection may break for many reasons, and a 100 be late once. */
	#failed(): void {
		const known = this.#known();
		known.failures += 1;
		if (known.failures >= LIMITS.expectationFailures) this.#rest();
	}

	#rest(): void {
		this.#known().untilMs = performance.now() + LIMITS.expectationRestMs;
	}

	#known(): Asked {
		const known = asked.get(this.#upstream) ?? new Asked();
		asked.set(this.#upstream, known);
		return known;
	}
}

const isAsked = (upstream: Upstream): boolean =>
	upstream.tellsContinue === true &&
	upstream.occupancy < LIMITS.uploadStartOccupancy &&
	performance.now() >= (asked.get(upstream)?.untilMs ?? 0);
