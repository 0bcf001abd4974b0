/**
 * The exchange of a replayed request: the data path's own, over what a line of a log tells. What the line does not hold is
 * noted when it is read, and taken for what most requests have. Made by `simulation.ts`.
 */
import type { GeoRecord, HeaderLines, Phase } from "../cel/attributes.ts";
import { Exchange } from "../edge/exchange.ts";
import type { ListenerContext } from "../edge/listener-context.ts";
import type { RequestHead } from "../edge/request/request-head.ts";
import type { Services } from "../edge/services.ts";
import { connectionFrom, NO_RESPONSE } from "../explain/explained-exchange.ts";
import { CHUNKED } from "../http/framing.ts";
import type { RequestUrl } from "../http/target.ts";
import { type Lacks, QUERY } from "./lacks.ts";
import type { LogEntry } from "./log-entry.ts";
import { fieldIn, LoggedAnswer } from "./logged-head.ts";
import { LoggedPlace } from "./logged-values.ts";

/** The client is the line's; nothing is read of the connection but what is noted. */
const CONNECTION = connectionFrom("127.0.0.1", 1, undefined);

const NO_LINES: readonly string[] = Object.freeze([]);

export class ReplayedExchange extends Exchange {
	readonly #entry: LogEntry;
	readonly #lacks: Lacks;
	#atMs: number;
	#answer: HeaderLines | undefined;
	#place: GeoRecord | undefined;
	#partial: RequestUrl | undefined;

	constructor(
		entry: LogEntry,
		head: RequestHead,
		context: ListenerContext,
		services: Services,
		lacks: Lacks,
	) {
		super(NO_RESPONSE, context, head, services, CONNECTION);
		this.#entry = entry;
		this.#lacks = lacks;
		this.#atMs = entry.startMs;
	}

	override get nowMs(): number {
		return this.#atMs;
	}
	override get requestReceivedMs(): number {
		return this.#entry.startMs;
	}
	override get peer(): string {
		return this.#entry.clientIp;
	}
	override get clientIp(): string {
		return this.#entry.clientIp;
	}
	override get loggedIp(): string {
		return this.#entry.clientIp;
	}
	override get peerTrusted(): boolean {
		return false;
	}
	override get host(): string {
		if (this.head.host === "") this.#lacks.note("host", "It was taken as empty.");
		return super.host;
	}
	override get httpVersion(): string {
		return this.#entry.httpVersion;
	}
	override get requestId(): string {
		return this.#entry.requestId;
	}

	/** Without its query, where nobody knows whether there was one. */
	override get url(): RequestUrl {
		const { rawQuery } = this.#entry;
		if (this.rewritten !== undefined || rawQuery !== undefined || this.#lacks.kept.hasQuery)
			return super.url;
		this.#partial ??= new Proxy(super.url, {
			get: (url, name) => {
				if (QUERY_PARTS.has(name)) this.#lacks.note(QUERY, WITHOUT_QUERY);
				return Reflect.get(url, name, url);
			},
		});
		return this.#partial;
	}

	override get requestContentLength(): number {
		const { headers, method } = this.#entry;
		if (fieldIn(headers, "transfer-encoding") !== undefined) return CHUNKED;
		const told = fieldIn(headers, "content-length");
		if (told !== undefined && /^\d{1,15}$/.test(told)) return Number(told);
		const isKept = this.#lacks.kept.has("request", "content-length");
		if (!isKept && method !== "GET" && method !== "HEAD")
			this.#lacks.note(
				"request header content-length",
				"The body was taken as empty; name content-length in log.headers.",
			);
		return 0;
	}

	override get clientPort(): number {
		return this.#unknown("client's port", 0);
	}
	override get serverIp(): string {
		return this.#unknown("server's address", super.serverIp);
	}
	override get serverPort(): number {
		return this.#unknown("server's port", super.serverPort);
	}
	override get endpointPort(): number {
		const { port } = this.head.authority;
		if (port === undefined && fieldIn(this.#entry.headers, "host") === undefined)
			this.#lacks.note(
				"port of the host",
				"It was taken as that of the scheme; name host in log.headers.",
			);
		return super.endpointPort;
	}
	override get endpointProtocol(): string {
		if (this.#entry.scheme === undefined) this.#unknown("scheme", "");
		return super.endpointProtocol;
	}
	override get connectionStartMs(): number {
		return this.#unknown("connection's start", this.#entry.startMs);
	}
	override get connectionBytesIn(): number {
		return this.#unknown("connection's bytes", 0);
	}
	override get connectionBytesOut(): number {
		return this.#unknown("connection's bytes", 0);
	}
	override get tlsVersion(): string {
		return this.#ofTls(this.#entry.tlsVersion);
	}
	override get tlsSni(): string {
		return this.#ofTls(this.#entry.tlsSni);
	}
	override get tlsJa4(): string {
		return this.#ofTls(this.#entry.tlsJa4);
	}

	#ofTls(value: string): string {
		return this.#entry.scheme === undefined ? this.#unknown("TLS", "") : value;
	}

	override get geo(): GeoRecord {
		this.#place ??= new LoggedPlace(this.#entry.country, this.#lacks);
		return this.#place;
	}

	#unknown<T>(what: string, value: T): T {
		const taken = typeof value === "string" ? (value === "" ? "empty" : value) : value;
		this.#lacks.note(what, `No line holds it; it was taken as ${taken}.`);
		return value;
	}

	/** Names are asked for by actions that take some away; what is not there is not missed. */
	override removeHeaders(phase: Phase, names: readonly string[]): readonly string[] {
		this.#lacks.isQuiet = true;
		const removed = super.removeHeaders(phase, names);
		this.#lacks.isQuiet = false;
		return removed;
	}

	override get responseHeaders(): HeaderLines {
		return this.#answer === undefined ? super.responseHeaders : this.changedResponse(this.#answer);
	}
	override setResponse(statusCode: number, headers: readonly string[], length: number): void {
		super.setResponse(statusCode, headers, length);
		this.#answer = undefined;
		this.#atMs = this.#entry.endMs;
	}
	/** The answer that the line tells of, for outbound rules. */
	showLoggedResponse(): void {
		const { status, responseHeaders, bytesOut } = this.#entry;
		const told = fieldIn(responseHeaders, "content-length");
		const length = told !== undefined && /^\d{1,15}$/.test(told) ? Number(told) : bytesOut;
		this.setResponse(status, NO_LINES, length);
		this.#answer = new LoggedAnswer(responseHeaders, this.#lacks);
	}

	/** Of live requests these are counted and logged. */
	override limitExceeded(
		_place: unknown,
		name: string,
		_waitMs: number,
		isEnforced: boolean,
	): void {
		if (isEnforced && this.report === undefined) this.limit = name;
	}
	override expressionFailed(): void {}
	override wouldHave(): void {}
}

const QUERY_PARTS: ReadonlySet<PropertyKey> = new Set(["query", "uri", "full", "raw", "target"]);
const WITHOUT_QUERY = "URLs were taken to have none; set log.access_query.";
