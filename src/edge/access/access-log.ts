/**
 * Which requests have a line in the log, in which form, and where it goes (contract 1, `log`). Made by `edge.ts`, told by
 * `services.ts` when a request is over or was refused while it was read.
 */

import type { Config } from "../../config.ts";
import type { EdgeErrorCode } from "../../error-code-origins.ts";
import { JsonLine } from "../../telemetry/json-bytes.ts";
import type { Log } from "../../telemetry/log.ts";
import { accessLine } from "./access-line.ts";
import { combinedLine, combinedRefusal } from "./combined-line.ts";
import { bounded } from "./logged-headers.ts";
import { hasPolicyLog, type LoggedRequest } from "./logged-request.ts";

/** Where access lines go that are not among the others. */
export interface AccessOutput extends Pick<Log, "encoded"> {
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
	readonly #log: Pick<Log, "encoded">;
	readonly #output: AccessOutput | undefined;
	readonly #line = new JsonLine();

	/** @param output where `settings.accessDestination` may lead */
	constructor(settings: Config["log"], log: Pick<Log, "encoded">, output?: AccessOutput) {
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
			if (hasLog) this.#log.encoded(this.#lineOf(request, statusCode, aborted));
			return;
		}
		const isSample = accessSample < 1 && !hasLog && isOrdinary(request, statusCode, aborted);
		if (isSample && Math.random() >= accessSample) return;
		if (accessFormat === "json") {
			const rate = isSample ? accessSample : undefined;
			const output = this.#output ?? this.#log;
			output.encoded(this.#lineOf(request, statusCode, aborted, rate));
			return;
		}
		this.#output?.line(combinedLine(request, statusCode, accessQuery, Date.now()));
		if (hasLog) this.#log.encoded(this.#lineOf(request, statusCode, aborted));
	}

	#lineOf(
		request: LoggedRequest,
		statusCode: number,
		aborted: boolean,
		sampleRate?: number,
	): JsonLine {
		const line = this.#line;
		line.begin(process.pid, Date.now());
		accessLine(line, request, statusCode, aborted, this.#settings, sampleRate);
		line.end("request");
		return line;
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
		const line = this.#line;
		line.begin(process.pid, Date.now());
		line.text("request_id", requestId);
		line.text("method", bounded(method));
		line.text("path", bounded(rawPath));
		line.number("status", statusCode);
		line.text("error_code", errorCode);
		line.text("client_ip", clientIp);
		line.end("refused");
		(this.#output ?? this.#log).encoded(line);
	}
}
