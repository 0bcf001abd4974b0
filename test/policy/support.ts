/** What the tests of the policy room share: an exchange over plain objects, and documents made runnable. */
import type { HeaderLines, Phase } from "../../src/cel/attributes.ts";
import { ChangedLines } from "../../src/edge/headers/changed-lines.ts";
import { HeaderChanges } from "../../src/edge/headers/header-changes.ts";
import type { Problem } from "../../src/errors.ts";
import { parseUrl, type RequestUrl } from "../../src/http/target.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import type { ActionContext } from "../../src/policy/actions/action.ts";
import type { RateLimiter, RateLimiters, RateLimitIdentity } from "../../src/policy/admission.ts";
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import { validatePolicy } from "../../src/policy/document/validate.ts";
import type {
	AnswerTask,
	CompiledPolicy,
	JsonValue,
	Place,
	PolicyExchange,
} from "../../src/policy/exchange.ts";
import type { Surroundings } from "../../src/policy/lint/empty-variables.ts";
import type { Warning } from "../../src/policy/lint/lint.ts";
import { type CompileContext, compilePolicy } from "../../src/policy/rules/compile.ts";

/** Header lines from pairs, in order; names in any case. */
export function headerLines(pairs: readonly (readonly [string, string])[]): HeaderLines {
	const lower = pairs.map(([name, value]) => [name.toLowerCase(), value] as const);
	return {
		lines: (name) => lower.filter(([own]) => own === name).map(([, value]) => value),
		names: () => [...new Set(lower.map(([name]) => name))],
	};
}

export interface Failure {
	readonly place: Place;
	readonly message: string;
}

export interface FakeExchange extends PolicyExchange {
	readonly url: RequestUrl;
	readonly logs: JsonValue[];
	readonly failures: Failure[];
	readonly reported: string[];
	/** `name: value` of lines for whatever response there is */
	readonly onResponse: string[];
	readonly answerTasks: AnswerTask[];
	readonly exceeded: { place: Place; name: string; retryAfterMs: number; enforced: boolean }[];
}

export interface Given {
	readonly method?: string;
	readonly url?: string;
	readonly headers?: readonly (readonly [string, string])[];
	readonly contentLength?: number;
	readonly clientIp?: string;
	readonly country?: string;
	readonly responseStatus?: number;
	readonly responseHeaders?: readonly (readonly [string, string])[];
}

export function exchangeOf(given: Given = {}): FakeExchange {
	const parsed = (text: string): RequestUrl => {
		const url = parseUrl(text);
		if (url === undefined) throw new Error(`no URL: ${text}`);
		return url;
	};
	let url = parsed(given.url ?? "http://h/");
	const logs: JsonValue[] = [];
	const failures: Failure[] = [];
	const exceeded: FakeExchange["exceeded"] = [];
	const own = {
		inbound: headerLines(given.headers ?? []),
		outbound: headerLines(given.responseHeaders ?? []),
	};
	const changes = { inbound: HeaderChanges.NONE, outbound: HeaderChanges.NONE };
	let newHost: string | undefined;
	const linesOf = (phase: Phase): HeaderLines =>
		new ChangedLines(own[phase], changes[phase], phase === "inbound" ? newHost : undefined);
	const onResponse: string[] = [];
	const answerTasks: AnswerTask[] = [];
	const reported: string[] = [];
	/** As the edge's: under a rule that only reports, nothing is changed. */
	const acts = (): boolean => {
		if (exchange.report === undefined) return true;
		exchange.report.acted = true;
		return false;
	};
	const exchange: FakeExchange = {
		...FIXED,
		report: undefined,
		results: undefined,
		reported,
		get url() {
			return url;
		},
		logs,
		failures,
		exceeded,
		method: given.method ?? "GET",
		get host() {
			return newHost ?? url.host;
		},
		get requestHeaders() {
			return linesOf("inbound");
		},
		get responseHeaders() {
			return linesOf("outbound");
		},
		onResponse,
		addHeaders: (phase, lines) => {
			const others = lines.filter(([name]) => name.toLowerCase() !== "host");
			const changed = changes[phase].adding(others);
			if (changed.addedBytes > LIMITS.addedHeaderBytes) return false;
			if (!acts()) return true;
			changes[phase] = changed;
			newHost = lines.find(([name]) => name.toLowerCase() === "host")?.[1] ?? newHost;
			return true;
		},
		removeHeaders: (phase, names) => {
			const matching = HeaderChanges.NONE.removing(names);
			const there = linesOf(phase)
				.names()
				.filter((name) => matching.removes(name));
			if (there.length > 0 && acts()) changes[phase] = changes[phase].removing(names);
			return there;
		},
		setOnResponse: (lines, without) => {
			if (!acts()) return;
			onResponse.push(...without.map((name) => `-${name}`));
			onResponse.push(...lines.map(([name, value]) => `${name}: ${value}`));
		},
		requestContentLength: given.contentLength ?? 0,
		clientIp: given.clientIp ?? "192.0.2.1",
		geo: { ...NOWHERE, countryCode: given.country ?? "" },
		responseStatusCode: given.responseStatus ?? 0,
		rewriteUrl: (full) => {
			const rewritten = parseUrl(full);
			if (rewritten === undefined) return false;
			if (!acts()) return true;
			url = rewritten;
			return true;
		},
		log: (metadata) => {
			if (acts()) logs.push(metadata);
		},
		wouldHave: ({ ruleIndex }, type) => {
			reported.push(`${ruleIndex} ${type}`);
		},
		whenAnswered: (task) => {
			answerTasks.push(task);
		},
		answerTasks,
		limitExceeded: (place, name, retryAfterMs, enforced) => {
			exceeded.push({ place, name, retryAfterMs, enforced });
		},
		expressionFailed: (place, message) => {
			failures.push({ place, message });
		},
	};
	return exchange;
}

const NOWHERE = {
	countryCode: "",
	country: "",
	city: "",
	latitude: "",
	longitude: "",
	subdivision: "",
};

const FIXED = {
	inlineNanoseconds: LIMITS.requestInlineNanoseconds as number,
	httpVersion: "HTTP/1.1",
	requestReceivedMs: 1_700_000_000_000,
	clientPort: 40_000,
	serverIp: "127.0.0.1",
	serverPort: 8080,
	connectionBytesIn: 0,
	connectionBytesOut: 0,
	connectionStartMs: 1_700_000_000_000,
	tlsVersion: "",
	tlsSni: "",
	tlsCipherSuite: "",
	tlsNegotiatedAlpn: "",
	tlsJa4: "",
	responseContentLength: 0,
	edgeId: "edge",
	routeId: "route",
	endpointHost: "h",
	endpointProtocol: "http",
	endpointPort: 8080,
	nowMs: 1_700_000_001_000,
} as const;

/** A limiter that decides as `admit` does, whatever a request costs. */
export const deciding = (admit: RateLimiter["admit"]): RateLimiter => ({
	admit,
	decide: (_purpose, _cost, parts) => admit(parts),
	room: { remaining: 0, freesMs: 0 },
});

/** Counts without a clock: each bucket admits its capacity, then says how long to wait. */
export class CountingLimiters implements RateLimiters {
	readonly opened: RateLimitIdentity[] = [];
	readonly released: RateLimitIdentity[] = [];
	readonly keys: string[] = [];
	readonly #counts = new Map<string, number>();
	readonly #waitMs: number;

	constructor(waitMs = 1) {
		this.#waitMs = waitMs;
	}

	open(identity: RateLimitIdentity): RateLimiter {
		this.opened.push(identity);
		const room = { remaining: 0, freesMs: 0 };
		const decide: RateLimiter["decide"] = (purpose, cost, parts) => {
			const key = JSON.stringify(parts.map((part) => part ?? null));
			this.keys.push(key);
			const bucket = JSON.stringify([identity, key]);
			const count = this.#counts.get(bucket) ?? 0;
			const isRejected = count + cost > identity.capacity;
			const counts = purpose === "force" || (purpose === "charge" && !isRejected);
			if (counts) this.#counts.set(bucket, count + cost);
			room.remaining = Math.max(0, identity.capacity - count - (counts ? cost : 0));
			room.freesMs = room.remaining < identity.capacity ? this.#waitMs : 0;
			return isRejected && purpose !== "force" ? this.#waitMs : 0;
		};
		return { admit: (parts) => decide("charge", 1, parts), decide, room };
	}

	release(identity: RateLimitIdentity): void {
		this.released.push(identity);
	}
}

const limits = { rulesPerPhase: LIMITS.rulesPerPhase };

/** `pointer code: first line of the message` of each problem. */
export function problemsOf(value: unknown): string[] {
	const checked = validatePolicy(value, limits);
	return checked.ok ? [] : checked.error.map(summary);
}

export const summary = ({ pointer, code, message }: Problem): string =>
	`${pointer} ${code}: ${message.split("\n")[0]}`;

export function documentOf(value: unknown): PolicyDocument {
	const checked = validatePolicy(value, limits);
	if (!checked.ok) throw new Error(checked.error.map(summary).join("\n"));
	return checked.value.document;
}

export function warningsOf(value: unknown, around?: Surroundings): readonly Warning[] {
	const checked = validatePolicy(value, around === undefined ? limits : { ...limits, around });
	if (!checked.ok) throw new Error(checked.error.map(summary).join("\n"));
	return checked.value.warnings;
}

export function compiled(value: unknown, context: Partial<CompileContext> = {}): CompiledPolicy {
	return compilePolicy(documentOf(value), {
		edgeId: "edge",
		routeId: "route",
		limiters: new CountingLimiters(),
		expressionErrors: "reject",
		...context,
	});
}

/** A policy with one inbound rule of these actions. */
export const inbound = (...actions: readonly unknown[]): unknown => ({ inbound: [{ actions }] });

/** Of a first action. */
export const PLACE: Place = {
	phase: "inbound",
	ruleIndex: 0,
	ruleName: "",
	expressionIndex: -1,
	actionIndex: 0,
};

/** What the actions of one policy are opened in. */
export const openingContext = (limiters = new CountingLimiters()): ActionContext => ({
	...{ place: PLACE, edgeId: "e", routeId: "r", limiters },
	limits: { last: undefined },
	resultsRead: new Set(),
});
