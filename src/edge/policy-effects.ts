/**
 * What a request's policy does besides deciding: changes of headers, log entries, reports of what it would have
 * done, results for later expressions. `exchange.ts` has it all by inheritance, so that a request without a policy pays for no further object.
 */
import { asciiLowerCase } from "../ascii.ts";
import type { HeaderLines, Phase } from "../cel/attributes.ts";
import type { Derived } from "../cel/values/kept.ts";
import { parseAuthority } from "../http/target.ts";
import { HEADER_BYTES_MAX } from "../http/uws.ts";
import { LIMITS } from "../limits/limits.ts";
import type { AnswerTask, JsonValue, Place } from "../policy/exchange.ts";
import { type Reported, WithExtras } from "./extras.ts";
import { ChangedLines } from "./headers/changed-lines.ts";
import {
	ChangedHeaders,
	HeaderChanges,
	type HeaderLine,
	type NewHost,
} from "./headers/header-changes.ts";
import { AnswerTasks } from "./phases/answer-tasks.ts";
import type { RequestLines } from "./request/request-lines.ts";
import type { Route } from "./routing/route.ts";
import type { Services } from "./services.ts";

const NO_LOGS: readonly JsonValue[] = Object.freeze([]);
const NO_REPORTS: readonly Reported[] = Object.freeze([]);

export abstract class PolicyEffects extends WithExtras {
	route: Route | undefined;
	derived: Derived | undefined;
	inlineNanoseconds: number = LIMITS.requestInlineNanoseconds;
	readonly services: Services;

	constructor(services: Services) {
		super();
		this.services = services;
	}

	abstract get loggedIp(): string;
	/** as the client sent them */
	protected abstract get receivedHeaders(): RequestLines;
	/** bytes of the request line and the header */
	protected abstract get receivedBytes(): number;
	/** as the rules of the phase see them */
	protected abstract get requestHeaders(): HeaderLines;
	abstract get responseHeaders(): HeaderLines;

	/** Has the response to be looked at, whether or not a rule asks for it? */
	get isWatched(): boolean {
		return this.notes !== undefined || this.shadow !== undefined;
	}
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

	/** The host that an add-headers has put in; the `host` field and `req.host`, never the route, follow it. */
	get newHost(): NewHost | undefined {
		return this.extras?.headers?.newHost;
	}
	get requestChanges(): HeaderChanges | undefined {
		return this.extras?.headers?.request;
	}
	get responseChanges(): HeaderChanges | undefined {
		return this.extras?.headers?.response;
	}
	/** The request's lines after changes; undefined if there are none. */
	protected get changedRequest(): HeaderLines | undefined {
		return this.extras?.headers?.requestLines;
	}

	addHeaders(phase: Phase, lines: readonly HeaderLine[]): boolean {
		return phase === "inbound" ? this.addToRequest(lines) : this.addToResponse(lines);
	}

	private addToRequest(lines: readonly HeaderLine[]): boolean {
		let host = this.newHost;
		for (const [name, value] of lines) {
			if (asciiLowerCase(name) !== "host") continue;
			const authority = parseAuthority(value);
			if (authority === undefined) return false;
			host = { line: value, host: authority.host };
		}
		const others = lines.filter(([name]) => asciiLowerCase(name) !== "host");
		const changes = (this.requestChanges ?? HeaderChanges.NONE).adding(others);
		if (this.receivedBytes + changes.addedBytes > HEADER_BYTES_MAX) return false;
		if (!this.hasLinesFor(changes.added.length)) return false;
		if (this.acts()) this.changeRequest(changes, host);
		return true;
	}

	private hasLinesFor(added: number): boolean {
		const room = LIMITS.requestHeaderLines - added;
		return room >= LIMITS.receivedHeaderLines || this.receivedHeaders.count <= room;
	}

	private addToResponse(lines: readonly HeaderLine[]): boolean {
		const changes = (this.responseChanges ?? HeaderChanges.NONE).adding(lines);
		if (changes.addedBytes > LIMITS.addedHeaderBytes) return false;
		if (this.acts()) this.changeResponse(changes);
		return true;
	}

	removeHeaders(phase: Phase, names: readonly string[]): readonly string[] {
		const isRequest = phase === "inbound";
		const before = (isRequest ? this.requestChanges : this.responseChanges) ?? HeaderChanges.NONE;
		const matching = HeaderChanges.NONE.removing(names);
		const headers = isRequest ? this.requestHeaders : this.responseHeaders;
		const there = headers.names().filter((name) => matching.removes(name));
		if (there.length === 0 || !this.acts()) return there;
		if (isRequest) this.changeRequest(before.removing(names), this.newHost);
		else this.changeResponse(before.removing(names));
		return there;
	}

	setOnResponse(lines: readonly HeaderLine[], without: readonly string[]): void {
		if (!this.acts()) return;
		const headers = this.changed();
		headers.standing = (headers.standing ?? HeaderChanges.NONE).removing(without).adding(lines);
		headers.response = headers.standing;
	}

	/** Lines of the edge's own on whatever response there will be. Before any rule has run. */
	setOnEveryResponse(changes: HeaderChanges): void {
		const headers = this.changed();
		headers.own = changes;
		headers.standing = changes;
		headers.response = changes;
	}
	/** Those of `setOnEveryResponse` alone, which the exchange of a candidate begins with. */
	get ownResponseChanges(): HeaderChanges | undefined {
		return this.extras?.headers?.own;
	}

	/** A new response takes the place of the one before: what outbound rules have changed was about that one. */
	forgetResponseChanges(): void {
		const headers = this.extras?.headers;
		if (headers === undefined) return;
		headers.response = headers.standing;
		headers.responseLines = undefined;
	}

	/** The response's lines after changes. @param lines as they came */
	protected changedResponse(lines: HeaderLines): HeaderLines {
		const headers = this.extras?.headers;
		if (headers?.response === undefined) return lines;
		headers.responseLines ??= new ChangedLines(lines, headers.response);
		return headers.responseLines;
	}

	/** A url-rewrite has put in another host. */
	protected forgetNewHost(): void {
		if (this.newHost === undefined) return;
		this.changeRequest(this.requestChanges ?? HeaderChanges.NONE, undefined);
	}

	private changeRequest(changes: HeaderChanges, host: NewHost | undefined): void {
		const headers = this.changed();
		headers.request = changes;
		headers.newHost = host;
		headers.requestLines = new ChangedLines(this.receivedHeaders, changes, host?.line);
	}

	private changeResponse(changes: HeaderChanges): void {
		const headers = this.changed();
		headers.response = changes;
		headers.responseLines = undefined;
	}

	private changed(): ChangedHeaders {
		const extras = this.makeExtras();
		extras.headers ??= new ChangedHeaders();
		return extras.headers;
	}

	/** metadata of log actions, in order */
	get logs(): readonly JsonValue[] {
		return this.extras?.logs ?? NO_LOGS;
	}
	log(metadata: JsonValue): void {
		if (!this.acts()) return;
		const extras = this.makeExtras();
		extras.logs ??= [];
		extras.logs.push(metadata);
	}

	/** of actions that are not enforced, in order */
	get reports(): readonly Reported[] {
		return this.extras?.reports ?? NO_REPORTS;
	}
	wouldHave(place: Place, type: string): void {
		const extras = this.makeExtras();
		extras.reports ??= [];
		extras.reports.push({ place, type });
		this.services.reported(this, type);
	}

	limitExceeded(place: Place, name: string, _retryAfterMs: number, enforced: boolean): void {
		const acts = enforced && this.report === undefined;
		if (acts) this.limit = name;
		this.services.limitsExceeded.exceeded(this, place, name, acts);
	}
	/** Reads now what can't be read any more when the response has been sent. */
	whenAnswered(task: AnswerTask): void {
		void this.loggedIp;
		const extras = this.makeExtras();
		extras.answerTasks ??= new AnswerTasks();
		extras.answerTasks.add(task);
	}
	expressionFailed(place: Place, message: string): void {
		this.services.reportFailure(this, place, message);
	}
}
