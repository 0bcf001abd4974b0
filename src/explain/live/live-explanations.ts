/**
 * Explanations of real requests (contract 2, "Explain"): workers tell of requests that came with a token, the explaining
 * thread runs each of them once more, and what came of it is kept by request id and told to the log. In memory, and bounded.
 * Made by `process/supervisor/live-page.ts`.
 */
import type { SeenRequest } from "../../edge/seen/seen-request.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Log } from "../../telemetry/log.ts";
import { type Explainer, ExplainerBusyError } from "../explainer.ts";
import type { Explanation } from "../shapes.ts";
import { agrees } from "./agreement.ts";
import type { TokenBook } from "./token-book.ts";
import { explainedLine } from "./told-decision.ts";

/** A real request, and why it went as it did. */
export interface ExplainedRequest {
	readonly seen: Pick<
		SeenRequest,
		"requestId" | "nowMs" | "method" | "host" | "rawPath" | "clientIp" | "end"
	>;
	/** the worker's place */
	readonly worker: number;
	/** undefined: there is none */
	readonly explanation: Explanation | undefined;
	/** Does the explanation say what happened? undefined: there is none */
	readonly agrees: boolean | undefined;
	/** why there is none; a sentence */
	readonly problem: string | undefined;
}

interface LiveExplanationsOptions {
	readonly explainer: Pick<Explainer, "explainSeen" | "revision">;
	readonly tokens: Pick<TokenBook, "use">;
	readonly log: Pick<Log, "info" | "error">;
}

interface Kept {
	readonly explained: Promise<ExplainedRequest>;
	/** as JSON, once there is something */
	bytes: number;
}

const CHANGED =
	"Something was stored since the request began, and an explanation is about what is stored now.";

export class LiveExplanations {
	readonly #options: LiveExplanationsOptions;
	/** oldest first; the last one of an id that came twice */
	readonly #byId = new Map<string, Kept>();
	#bytes = 0;
	readonly #waiting = new Set<() => void>();

	constructor(options: LiveExplanationsOptions) {
		this.#options = options;
	}

	/** A worker has seen a request with a token. @param worker its place */
	take(seen: SeenRequest, worker: number): void {
		if (!this.#options.tokens.use(seen.token)) return;
		const id = seen.requestId;
		const kept: Kept = { explained: this.#explained(seen, worker), bytes: 0 };
		this.#forget(id);
		this.#byId.set(id, kept);
		void kept.explained.then((explained) => {
			if (this.#byId.get(id) !== kept) return;
			kept.bytes = JSON.stringify(explained).length;
			this.#bytes += kept.bytes;
			this.#makeRoom();
		});
		this.#makeRoom();
		for (const wake of [...this.#waiting]) wake();
	}

	/** Resolves when it is explained. @returns undefined: no worker has told of it */
	find(requestId: string): Promise<ExplainedRequest> | undefined {
		return this.#byId.get(requestId)?.explained;
	}

	/** Waits for a worker to tell of it, no longer than `LIMITS.decisionWaitMs`. */
	arrives(requestId: string): Promise<ExplainedRequest | undefined> {
		return new Promise((resolve) => {
			const end = (): void => {
				clearTimeout(timer);
				this.#waiting.delete(wake);
				resolve(this.find(requestId));
			};
			const wake = (): void => {
				if (this.#byId.has(requestId)) end();
			};
			const timer = setTimeout(end, LIMITS.decisionWaitMs);
			this.#waiting.add(wake);
		});
	}

	async #explained(seen: SeenRequest, worker: number): Promise<ExplainedRequest> {
		const { requestId, nowMs, method, host, rawPath, clientIp, end } = seen;
		const told = { seen: { requestId, nowMs, method, host, rawPath, clientIp, end }, worker };
		const without = (problem: string): ExplainedRequest => ({
			...told,
			...{ explanation: undefined, agrees: undefined, problem },
		});
		if (seen.isCut) return without(TOO_LARGE);
		try {
			const { explainer, log } = this.#options;
			const whole = await explainer.explainSeen(seen);
			const isRight = agrees(whole, end);
			const isOlder = !isRight && explainer.revision !== seen.revision;
			const notes = isOlder ? [...whole.notes, CHANGED] : whole.notes;
			const explanation = { ...whole, notes };
			log.info(explainedLine(requestId, explanation, isRight), "explained");
			return { ...told, explanation, agrees: isRight, problem: undefined };
		} catch (error) {
			if (error instanceof ExplainerBusyError)
				return without(`It was not explained: ${error.message}.`);
			this.#options.log.error(
				{ err: error, request_id: requestId },
				"a request can't be explained",
			);
			return without("It could not be explained; the log says why.");
		}
	}

	#makeRoom(): void {
		for (const id of this.#byId.keys()) {
			const fits = this.#bytes <= LIMITS.explanationsKeptBytes;
			if (fits && this.#byId.size <= LIMITS.explanationsKept) return;
			this.#forget(id);
		}
	}

	#forget(id: string): void {
		const kept = this.#byId.get(id);
		this.#bytes -= kept?.bytes ?? 0;
		this.#byId.delete(id);
	}
}

const TOO_LARGE =
	"It was not explained: it and its response have more header than is taken down of a request.";
