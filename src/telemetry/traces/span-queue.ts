/**
 * Spans on their way to the collector. One request is on its way at a time; what comes meanwhile waits in a bounded
 * queue, beyond which spans are dropped, so that a collector that is slow or dead costs the traffic nothing but a
 * comparison. What becomes of each span is counted. Made by `otlp.ts`.
 */
import { LIMITS } from "../../limits/limits.ts";
import type { FinishedSpan } from "./span.ts";

/** @param sent says whether the collector has them */
export type SendSpans = (spans: readonly FinishedSpan[], sent: (failure?: string) => void) => void;

/** What becomes of spans: how many had each end. */
export interface SpanEnds {
	/** the collector has them */
	exported(spans: number): void;
	/** it did not take them, or did not answer in time */
	failed(spans: number, reason: string): void;
	/** the queue was full */
	dropped(spans: number): void;
}

export class SpanQueue {
	readonly #send: SendSpans;
	readonly #ends: SpanEnds;
	#waiting: FinishedSpan[] = [];
	/** spans of the request that is on its way */
	#sending = 0;
	#timer: NodeJS.Timeout | undefined;
	#idle: (() => void)[] = [];

	constructor(send: SendSpans, ends: SpanEnds) {
		this.#send = send;
		this.#ends = ends;
	}

	/** Never waits and never throws. */
	add(span: FinishedSpan): void {
		if (this.#waiting.length >= LIMITS.traceQueueSpans) {
			this.#ends.dropped(1);
			return;
		}
		this.#waiting.push(span);
		if (this.#sending > 0) return;
		if (this.#waiting.length >= LIMITS.traceBatchSpans) this.#soon(0);
		else this.#timer ??= this.#after(LIMITS.traceIntervalMs);
	}

	/** Resolves when all have been sent, or after `timeoutMs`; what is left then has failed. */
	async flush(timeoutMs: number): Promise<void> {
		if (this.#sending === 0 && this.#waiting.length === 0) return;
		this.#soon(0);
		let timer: NodeJS.Timeout | undefined;
		await new Promise<void>((resolve) => {
			this.#idle.push(resolve);
			timer = setTimeout(resolve, timeoutMs);
		});
		clearTimeout(timer);
		const left = this.#waiting.splice(0).length;
		if (left > 0) this.#ends.failed(left, "weir stopped before the collector took them");
	}

	#soon(afterMs: number): void {
		if (this.#sending > 0) return;
		clearTimeout(this.#timer);
		this.#timer = this.#after(afterMs);
	}

	/** Not within the request that ends: putting spans together takes its time. */
	#after(milliseconds: number): NodeJS.Timeout {
		return setTimeout(() => this.#sendBatch(), milliseconds).unref();
	}

	#sendBatch(): void {
		this.#timer = undefined;
		const batch = this.#waiting.splice(0, LIMITS.traceBatchSpans);
		if (batch.length === 0) return;
		this.#sending = batch.length;
		let isOver = false;
		const sent = (failure?: string): void => {
			if (isOver) return;
			isOver = true;
			this.#sent(batch.length, failure);
		};
		try {
			this.#send(batch, sent);
		} catch (error) {
			sent((error as Error).message);
		}
	}

	#sent(spans: number, failure: string | undefined): void {
		this.#sending = 0;
		if (failure === undefined) this.#ends.exported(spans);
		else this.#ends.failed(spans, failure);
		if (this.#waiting.length === 0) for (const idle of this.#idle.splice(0)) idle();
		// A collector that is gone is not asked again at once.
		else this.#soon(failure === undefined ? 0 : LIMITS.traceIntervalMs);
	}
}
