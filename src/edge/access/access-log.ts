/**
 * Which requests have a line in the log, in which form, and where it goes (contract 1, `log`). Made by `edge.ts`, told by
 * `services.ts` when a request is over or was refused while it was read.
 */

import type { Config } from "../../config.ts";
import type { EdgeErrorCode } from "../../error-code-origins.ts";
import type { Log } from "../../telemetry/log.ts";
import { accessLine } from "./access-line.ts";
import { combinedLine, combinedRefusal } from "./combined-line.ts";
import { bounded } from "./logged-headers.ts";
import { hasPolicyLog, type LoggedRequest } from "./logged-request.ts";

/** Where access lines go that are not among the others. */
export interface AccessOutput extends Pick<Log, "info"> {
	/** a line of text, without its end */
	line(text: string): void;
}

/** What a request told of itself that was refused while it was read. */
export interface RefusedRequest {
	readonly requestId: string | undefined;
	readonly method: string;
	readonly rawPath: string;
	readonly clientIp: string;
	readonly errorCode: EdgeErrorCode | undefined;
}

/** An answer to its end that nobody refused. */
const isOrdinary = (request: LoggedRequest, statusCode: number, aborted: boolean): boolean => {
	if (aborted || statusCode >= 400 || statusCode === 0) return false;
	if (request.limit !== undefined || request.failure !== undefined) return false;
	const by = request.answeredBy;
	return by === "upstream" || by === "respond" || by === "preflight";
};

export class AccessLog {
	#settings: Config["log"];
	readonly #log: Pick<Log, "info">;
	readonly #output: AccessOutput | undefined;

	/** @param output where `settings.accessDestination` may lead */
	constructor(settings: Config["log"], log: Pick<Log, "info">, output?: AccessOutput) {
		this.#settings = settings;
		this.#log = log;
		this.#output = output;
	}

	/** Every request has a line, or may have one. */
	get isOn(): boolean {
		return this.#settings.access;
	}
	/** Lines tell of the answer's header. */
	get readsResponse(): boolean {
		return this.#settings.access && this.#settings.responseHeaders.length > 0;
	}

	/** A reload. */
	settle(settings: Config["log"]): void {
		this.#settings = settings;
	}

	/** The request is over. */
	ended(request: LoggedRequest, statusCode: number, aborted: boolean): void {
		const { access, accessFormat, accessQuery, accessSample } = this.#settings;
		const hasLog = hasPolicyLog(request);
		if (!access) {
			if (hasLog) this.#log.info(this.#fields(request, statusCode, aborted), "request");
			return;
		}
		const isSample = accessSample < 1 && !hasLog && isOrdinary(request, statusCode, aborted);
		if (isSample && Math.random() >= accessSample) return;
		if (accessFormat === "json") {
			const rate = isSample ? accessSample : undefined;
			const output = this.#output ?? this.#log;
			output.info(this.#fields(request, statusCode, aborted, rate), "request");
			return;
		}
		this.#output?.line(combinedLine(request, statusCode, accessQuery, Date.now()));
		if (hasLog) this.#log.info(this.#fields(request, statusCode, aborted), "request");
	}

	#fields(
		request: LoggedRequest,
		statusCode: number,
		aborted: boolean,
		sampleRate?: number,
	): object {
		return accessLine(request, statusCode, aborted, this.#settings, sampleRate);
	}

	/** Before there was an exchange. */
	refused(refused: RefusedRequest, statusCode: number): void {
		const { access, accessFormat } = this.#settings;
		if (!access) return;
		const { requestId, method, rawPath, clientIp, errorCode } = refused;
		if (accessFormat === "combined") {
			const line = combinedRefusal(clientIp, method, rawPath, statusCode, Date.now());
			this.#output?.line(line);
			return;
		}
		const fields = {
			request_id: requestId,
			method: bounded(method),
			path: bounded(rawPath),
			status: statusCode,
			error_code: errorCode,
			client_ip: clientIp,
		};
		(this.#output ?? this.#log).info(fields, "refused");
	}
}
