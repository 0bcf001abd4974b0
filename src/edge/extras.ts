/**
 * What few requests have: it stands in an object of its own, made for the first of it. So an exchange, of which there is one
 * for each request, is small, and V8 collects young objects less often, which is what the slowest answers wait for. Base of
 * `policy-effects.ts`, and so of each exchange.
 */
import type { GeoRecord } from "../cel/attributes.ts";
import type { Results } from "../cel/values/results.ts";
import type { EdgeErrorCode } from "../error-code-origins.ts";
import type { RequestUrl } from "../http/target.ts";
import type { JsonValue, Place, Report } from "../policy/exchange.ts";
import type { NotedLimits } from "../policy/trace/noted-limits.ts";
import type { UpstreamFailure } from "../upstream/upstream.ts";
import { RequestEnd } from "./access/request-end.ts";
import type { RequestTrace } from "./access/request-trace.ts";
import type { Shadow } from "./candidates/shadow.ts";
import type { ChangedHeaders } from "./headers/header-changes.ts";
import type { AnswerTasks } from "./phases/answer-tasks.ts";
import type { RequestNotes } from "./seen/request-notes.ts";

/** An action that was not enforced would have acted. */
export interface Reported {
	readonly place: Place;
	readonly type: string;
}

/** What is not said here is said where `WithExtras` gives it out. */
class Extras {
	errorCode: EdgeErrorCode | undefined;
	failure: UpstreamFailure | undefined;
	endedBy: Place | undefined;
	limit: string | undefined;
	trace: RequestTrace | undefined;
	shadow: Shadow | undefined;
	results: Results | undefined;
	report: Report | undefined;
	/** what rules, and the edge itself, have changed of both headers */
	headers: ChangedHeaders | undefined;
	/** metadata of log actions, in order */
	logs: JsonValue[] | undefined;
	/** of actions that are not enforced, in order */
	reports: Reported[] | undefined;
	answerTasks: AnswerTasks | undefined;
	fewestRemaining: number | undefined;
	notes: RequestNotes | undefined;
	limitTap: NotedLimits | undefined;
	rewritten: RequestUrl | undefined;
	/** once somebody has asked where the client is */
	geo: GeoRecord | undefined;
	/** milliseconds since 1970; 0: nobody has asked since the phase began */
	nowMs = 0;
}

export abstract class WithExtras extends RequestEnd {
	protected extras: Extras | undefined;

	/** To put something in. */
	protected makeExtras(): Extras {
		this.extras ??= new Extras();
		return this.extras;
	}

	/** of an answer that the edge made */
	get errorCode(): EdgeErrorCode | undefined {
		return this.extras?.errorCode;
	}
	set errorCode(code: EdgeErrorCode | undefined) {
		this.makeExtras().errorCode = code;
	}
	/** of the backend, also where its response had begun */
	get failure(): UpstreamFailure | undefined {
		return this.extras?.failure;
	}
	set failure(failure: UpstreamFailure | undefined) {
		this.makeExtras().failure = failure;
	}
	/** the rule that ended the phase; set by `policy/rules/evaluate.ts` */
	get endedBy(): Place | undefined {
		return this.extras?.endedBy;
	}
	set endedBy(place: Place | undefined) {
		this.makeExtras().endedBy = place;
	}
	/** the rate-limit that rejected the request */
	get limit(): string | undefined {
		return this.extras?.limit;
	}
	set limit(name: string | undefined) {
		this.makeExtras().limit = name;
	}
	/** undefined: tracing is off */
	get trace(): RequestTrace | undefined {
		return this.extras?.trace;
	}
	set trace(trace: RequestTrace | undefined) {
		this.makeExtras().trace = trace;
	}
	/** undefined: the route has no candidate, or it doesn't run beside this request */
	get shadow(): Shadow | undefined {
		return this.extras?.shadow;
	}
	set shadow(shadow: Shadow | undefined) {
		this.makeExtras().shadow = shadow;
	}
	get results(): Results | undefined {
		return this.extras?.results;
	}
	set results(results: Results | undefined) {
		this.makeExtras().results = results;
	}
	get report(): Report | undefined {
		return this.extras?.report;
	}
	set report(report: Report | undefined) {
		this.makeExtras().report = report;
	}
	/** to be done when the response is known */
	get answerTasks(): AnswerTasks | undefined {
		return this.extras?.answerTasks;
	}
	set answerTasks(tasks: AnswerTasks | undefined) {
		this.makeExtras().answerTasks = tasks;
	}
	get fewestRemaining(): number | undefined {
		return this.extras?.fewestRemaining;
	}
	set fewestRemaining(count: number | undefined) {
		this.makeExtras().fewestRemaining = count;
	}
	/** of a request that is to be explained */
	get notes(): RequestNotes | undefined {
		return this.extras?.notes;
	}
	set notes(notes: RequestNotes | undefined) {
		this.makeExtras().notes = notes;
	}
	get limitTap(): NotedLimits | undefined {
		return this.extras?.limitTap;
	}
	set limitTap(tap: NotedLimits | undefined) {
		this.makeExtras().limitTap = tap;
	}
	/** set by a url-rewrite */
	get rewritten(): RequestUrl | undefined {
		return this.extras?.rewritten;
	}
	set rewritten(url: RequestUrl | undefined) {
		this.makeExtras().rewritten = url;
	}
}
