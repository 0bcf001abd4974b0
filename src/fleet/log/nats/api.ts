/** Requests to JetStream about a fleet's streams, with their failures told. For the other files of this folder. */
import type { Msg } from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import { LogError } from "../log.ts";
import { type ApiError, apiProblem, isNobodyThere, isSilence, notEnabled } from "./failures.ts";
import type { Link } from "./link.ts";
import { repeated } from "./repeated.ts";
import { isAtLeast } from "./server-rules.ts";
import type { Names } from "./settings.ts";

export interface StreamState {
	readonly messages: number;
	readonly bytes: number;
	readonly first_seq: number;
	readonly last_seq: number;
	/** where they were asked for */
	readonly subjects?: Readonly<Record<string, number>>;
}

export interface StreamInfo {
	readonly config: Readonly<Record<string, unknown>>;
	readonly state: StreamState;
	/** the engine's clock; since 2.10 */
	readonly ts?: string;
}

/** What is asked of a stream without its leader: one message, or since 2.11 many. */
export type DirectQuery =
	| { readonly seq: number }
	| { readonly seq: number; readonly next_by_subj: string }
	| { readonly last_by_subj: string }
	| { readonly seq: number; readonly batch: number; readonly max_bytes: number };

const NOT_FOUND = 404;
const BATCHES_SINCE = [2, 11];
const PENDING = "Nats-Num-Pending";

export class Api {
	readonly link: Link;
	readonly names: Names;
	readonly #fleet: string;
	#lacksBatches = false;

	constructor(link: Link, names: Names, fleet: string) {
		this.link = link;
		this.names = names;
		this.#fleet = fleet;
	}

	/** Of the stream's leader. @param subjects counts them, as far as they match @throws LogError */
	info(
		stream: string,
		subjects?: string,
		timeoutMs: number = LIMITS.fleetRequestMs,
	): Promise<StreamInfo> {
		const query = subjects === undefined ? {} : { subjects_filter: subjects };
		return repeated(
			(leftMs) => this.call<StreamInfo>(`STREAM.INFO.${stream}`, stream, query, leftMs),
			timeoutMs,
			isSilence,
		);
	}

	/** @returns undefined: there is no such stream @throws LogError */
	async found(stream: string): Promise<StreamInfo | undefined> {
		try {
			return await this.info(stream);
		} catch (error) {
			if (error instanceof LogError && error.kind === "missing") return undefined;
			throw error;
		}
	}

	/** @throws LogError */
	async delete(stream: string): Promise<void> {
		await this.call(`STREAM.DELETE.${stream}`, stream, {});
	}

	/** Drops messages before `seq`, or all of one subject. @throws LogError */
	async purge(
		stream: string,
		which: { readonly seq: number } | { readonly filter: string },
	): Promise<void> {
		await this.call(`STREAM.PURGE.${stream}`, stream, which);
	}

	/** @throws LogError */
	async call<T>(
		request: string,
		stream: string,
		payload: object,
		timeoutMs: number = LIMITS.fleetRequestMs,
	): Promise<T> {
		const answer = await this.#nobody(() =>
			this.link.request({
				subject: `${this.names.api}.${request}`,
				payload: JSON.stringify(payload),
				timeoutMs,
				what: request,
			}),
		);
		const said = answer.json<T & { readonly error?: ApiError }>();
		if (said.error !== undefined)
			throw apiProblem(this.link.place, this.#fleet, stream, said.error);
		return said;
	}

	/** @returns undefined: it is not there, or this server does not have it yet @throws LogError */
	async direct(stream: string, query: DirectQuery): Promise<Msg | undefined> {
		const ask = (timeoutMs: number) =>
			this.link.request({
				subject: `${this.names.api}.DIRECT.GET.${stream}`,
				payload: JSON.stringify(query),
				timeoutMs,
				what: `reading ${stream}`,
			});
		const answer = await this.#known(stream, () => repeated(ask, LIMITS.fleetRequestMs, isSilence));
		const code = answer.headers?.code ?? 0;
		if (code === 0) return answer;
		if (code === NOT_FOUND) return undefined;
		throw this.#refused(stream, answer);
	}

	/** whether the server has many answers to one request; the older hub of a newer leaf shows it by its answer */
	get hasBatches(): boolean {
		return !this.#lacksBatches && isAtLeast(this.link.info?.version ?? "", BATCHES_SINCE);
	}

	/** From `seq` on. @returns without the word that they end @throws LogError */
	async directMany(
		stream: string,
		query: Extract<DirectQuery, { batch: number }>,
	): Promise<readonly Msg[]> {
		const answers = await this.#known(stream, () =>
			this.link.requestMany({
				subject: `${this.names.api}.DIRECT.GET.${stream}`,
				payload: JSON.stringify(query),
				timeoutMs: LIMITS.fleetReadMs,
				what: `reading ${stream}`,
			}),
		);
		const refusal = answers.find(({ headers }) => (headers?.code ?? 0) >= 400);
		if (refusal !== undefined && refusal.headers?.code !== NOT_FOUND)
			throw this.#refused(stream, refusal);
		const found = answers.filter(({ headers }) => (headers?.code ?? 0) === 0);
		if (found.some(({ headers }) => headers?.has(PENDING) === false)) this.#lacksBatches = true;
		return found;
	}

	#refused(stream: string, answer: Msg): LogError {
		const { code = 0, description = "" } = answer.headers ?? {};
		return apiProblem(this.link.place, this.#fleet, stream, { code, description });
	}

	/** Nobody answers for a stream: there is none, or it has no leader, which JetStream tells apart. */
	async #known<T>(stream: string, ask: () => Promise<T>): Promise<T> {
		try {
			return await ask();
		} catch (error) {
			if (!(error instanceof LogError) || error.kind !== "unreachable") throw error;
			if (this.link.info !== undefined) await this.info(stream);
			throw error;
		}
	}

	async #nobody<T>(ask: () => Promise<T>): Promise<T> {
		try {
			return await ask();
		} catch (error) {
			if (isNobodyThere((error as Error).cause)) throw notEnabled(this.link.place);
			throw error;
		}
	}
}
