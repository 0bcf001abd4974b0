/**
 * The exchange of a test (contract 3, "Tests"): a request that nobody sent and, if the test has it come to that, the
 * response of a backend that there is not. It does with them what `edge/exchange.ts` does with live ones. Made by
 * `rehearse.ts`, one for each request.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { GeoRecord, Phase } from "../../cel/attributes.ts";
import type { Derived } from "../../cel/values/kept.ts";
import type { Results } from "../../cel/values/results.ts";
import { parseAuthority, parseUrl, type RequestUrl } from "../../http/target.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { PolicyTest } from "../document/tests.ts";
import { testUrl } from "../document/tests.ts";
import type { AnswerTask, Place, PolicyExchange, Report } from "../exchange.ts";
import { HeaderList, type Line } from "./header-list.ts";

export interface Failure {
	readonly place: Place;
	readonly message: string;
}

/** Lines of header as a test writes them. */
export const linesOf = (fields: PolicyTest["request"]["headers"] = {}): readonly Line[] =>
	Object.entries(fields).flatMap(([name, value]) =>
		[value].flat().map((each): Line => [name, each]),
	);

/** @param given bytes as the test says; left out: as its field `content-length` says */
function lengthOf(given: number | undefined, headers: HeaderList): number {
	if (given !== undefined) return given;
	const [text = ""] = headers.lines("content-length");
	return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

export class RehearsedExchange implements PolicyExchange {
	readonly method: string;
	readonly httpVersion = "HTTP/1.1";
	readonly requestHeaders: HeaderList;
	readonly requestContentLength: number;
	readonly requestReceivedMs: number;
	readonly clientIp: string;
	readonly clientPort = 50_000;
	readonly serverIp = "127.0.0.1";
	readonly serverPort: number;
	readonly connectionBytesIn = 0;
	readonly connectionBytesOut = 0;
	readonly connectionStartMs: number;
	readonly tlsVersion: string;
	readonly tlsSni: string;
	readonly tlsCipherSuite = "";
	readonly tlsNegotiatedAlpn = "";
	readonly tlsJa4: string;
	readonly geo: GeoRecord;
	readonly edgeId = "edge";
	readonly routeId = "route";
	readonly endpointHost: string;
	readonly endpointProtocol: string;
	readonly endpointPort: number;
	readonly nowMs: number;

	inlineNanoseconds: number = LIMITS.requestInlineNanoseconds;
	derived?: Derived | undefined;
	results?: Results | undefined;
	report: Report | undefined;
	fewestRemaining?: number | undefined;
	endedBy?: Place | undefined;

	responseStatusCode = 0;
	responseContentLength = 0;
	responseHeaders = new HeaderList();

	/** that failed at run time */
	readonly failures: Failure[] = [];
	readonly answerTasks: AnswerTask[] = [];
	readonly #received: RequestUrl;
	#url: RequestUrl;
	#newHost: { readonly line: string; readonly host: string } | undefined;
	/** lines that whatever response has, in the order in which actions have said so */
	readonly #standing: { readonly without: readonly string[]; readonly lines: readonly Line[] }[] =
		[];
	#addedToResponse = 0;

	/** @throws Error for a request that was not validated */
	constructor({ request }: Pick<PolicyTest, "request">, nowMs: number) {
		this.requestHeaders = new HeaderList(linesOf(request.headers));
		const [hostLine] = this.requestHeaders.lines("host");
		const url = testUrl(request.url ?? "/", hostLine) ?? testUrl("/");
		if (url === undefined) throw new Error("a test that was not validated came to be run");
		this.#received = url;
		this.#url = url;
		if (hostLine === undefined) this.requestHeaders.add([["host", url.authority]]);
		this.method = request.method ?? "GET";
		this.requestContentLength = lengthOf(request.body_length, this.requestHeaders);
		this.requestReceivedMs = nowMs;
		this.connectionStartMs = nowMs;
		this.nowMs = nowMs;
		this.clientIp = request.client_ip ?? "192.0.2.1";
		this.serverPort = url.port;
		this.tlsVersion = request.tls?.version ?? "";
		this.tlsSni = request.tls?.sni ?? "";
		this.tlsJa4 = request.tls?.ja4 ?? "";
		const { country_code = "", country = "", city = "" } = request.geo ?? {};
		const { subdivision = "", latitude = "", longitude = "" } = request.geo ?? {};
		this.geo = { countryCode: country_code, country, city, subdivision, latitude, longitude };
		this.endpointHost = url.host;
		this.endpointProtocol = url.scheme;
		this.endpointPort = url.port;
	}

	get url(): RequestUrl {
		return this.#url;
	}

	get host(): string {
		return this.#newHost?.host ?? this.#received.host;
	}

	/** the field `host` as the backend gets it, where its route says nothing else */
	get hostLine(): string {
		if (this.#newHost !== undefined) return this.#newHost.line;
		if (this.#url.authority !== this.#received.authority) return this.#url.authority;
		return this.requestHeaders.lines("host")[0] ?? "";
	}

	rewriteUrl(full: string): boolean {
		const url = parseUrl(full);
		if (url === undefined) return false;
		if (!this.#acts()) return true;
		if (url.authority !== this.#url.authority && this.#newHost !== undefined) {
			this.#newHost = undefined;
			this.requestHeaders.set("host", this.#received.authority);
		}
		this.#url = url;
		return true;
	}

	addHeaders(phase: Phase, lines: readonly Line[]): boolean {
		return phase === "inbound" ? this.#addToRequest(lines) : this.#addToResponse(lines);
	}

	#addToRequest(lines: readonly Line[]): boolean {
		let host = this.#newHost;
		for (const [name, value] of lines) {
			if (asciiLowerCase(name) !== "host") continue;
			const authority = parseAuthority(value);
			if (authority === undefined) return false;
			host = { line: value, host: authority.host };
		}
		const others = lines.filter(([name]) => asciiLowerCase(name) !== "host");
		if (this.requestHeaders.bytes + new HeaderList(others).bytes > LIMITS.requestHeaderBytes)
			return false;
		if (this.requestHeaders.count + others.length > LIMITS.requestHeaderLines) return false;
		if (!this.#acts()) return true;
		this.requestHeaders.add(others);
		this.#newHost = host;
		if (host !== undefined) this.requestHeaders.set("host", host.line);
		return true;
	}

	#addToResponse(lines: readonly Line[]): boolean {
		const bytes = this.#addedToResponse + new HeaderList(lines).bytes;
		if (bytes > LIMITS.addedHeaderBytes) return false;
		if (!this.#acts()) return true;
		this.#addedToResponse = bytes;
		this.responseHeaders.add(lines);
		return true;
	}

	removeHeaders(phase: Phase, names: readonly string[]): readonly string[] {
		const headers = phase === "inbound" ? this.requestHeaders : this.responseHeaders;
		const there = headers.thereOf(names);
		if (there.length > 0 && this.#acts()) headers.remove(names);
		return there;
	}

	setOnResponse(lines: readonly Line[], without: readonly string[]): void {
		if (this.#acts()) this.#standing.push({ lines, without });
	}

	/** From here on outbound rules read this response, with what actions have put on whatever response there is. */
	setResponse(statusCode: number, lines: readonly Line[], bodyLength?: number): void {
		this.responseStatusCode = statusCode;
		this.responseHeaders = this.withStanding(lines);
		this.responseContentLength = lengthOf(bodyLength, this.responseHeaders);
		this.#addedToResponse = 0;
	}

	withStanding(lines: readonly Line[]): HeaderList {
		const headers = new HeaderList(lines);
		for (const each of this.#standing) {
			headers.remove(each.without);
			headers.add(each.lines);
		}
		return headers;
	}

	whenAnswered(task: AnswerTask): void {
		this.answerTasks.push(task);
	}

	/** What is logged is no part of what a test expects. */
	log(): void {
		this.#acts();
	}
	wouldHave(): void {}
	limitExceeded(): void {}

	expressionFailed(place: Place, message: string): void {
		this.failures.push({ place, message });
	}

	/** To be asked before something is changed: a rule that only reports notes that it would have been. */
	#acts(): boolean {
		if (this.report === undefined) return true;
		this.report.acted = true;
		return false;
	}
}
