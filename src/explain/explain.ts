/**
 * Explains one request (contract 2, "Explain"): runs it through the data path's own steps, with a policy that tells what it
 * does, and without a socket, a backend or a count. Called by `explain-task.ts`, in a thread; `explainer.ts` brings what
 * the thread can't know.
 */
import type { Config } from "../config.ts";
import { inboundReply, isPending, unseenReply } from "../edge/phases/policy-replies.ts";
import { type Decision, runPhase } from "../edge/phases/run-phase.ts";
import { PolicySlot } from "../edge/policies/policy-slot.ts";
import { isLoop } from "../edge/proxying/loops.ts";
import { upstreamHeader } from "../edge/proxying/upstream-header.ts";
import { utf8Bytes } from "../edge/request/header-lines.ts";
import { HeaderReader } from "../edge/request/header-reader.ts";
import { checkRequest, type RequestHead } from "../edge/request/request-head.ts";
import { LOOP, NO_ROUTE } from "../edge/response/local-replies.ts";
import { TableRoute } from "../edge/routing/route.ts";
import type { SeenRequest } from "../edge/seen/seen-request.ts";
import type { Services } from "../edge/services.ts";
import { addressText, parseAddress } from "../http/ip-address.ts";
import type { AddressLists } from "../policy/address-lists.ts";
import {
	AskedLimits,
	type LimitAnswers,
	type LimitQuestion,
} from "../policy/trace/asked-limits.ts";
import {
	type TraceablePolicy,
	TracedPolicy,
	type TraceOptions,
} from "../policy/trace/traced-policy.ts";
import { Tracer } from "../policy/trace/tracer.ts";
import type { RouteDocument } from "../store/resources.ts";
import { Counter } from "../telemetry/metrics.ts";
import { type AskedRequest, linesIn } from "./asked-request.ts";
import { type BackendAnswer, backendAnswer } from "./backend-answer.ts";
import { partsWanted } from "./details.ts";
import { backendOf } from "./explain-services.ts";
import { ExplainedExchange } from "./explained-exchange.ts";
import type {
	ChosenRoute,
	ExplainQuestion,
	Explanation,
	NearRoute,
	PhaseExplanation,
} from "./shapes.ts";
import { notRun, outboundTold, phaseTold, replied, unseen } from "./told.ts";

export interface Explained {
	readonly question: ExplainQuestion;
	readonly asked: AskedRequest;
	/** the real request that the question is about; undefined: nobody has sent it */
	readonly seen: SeenRequest | undefined;
	readonly config: Config;
	readonly services: Services;
	/** undefined: none is found */
	readonly route: (ChosenRoute & { readonly document: RouteDocument }) | undefined;
	readonly near: readonly NearRoute[];
	/** undefined: the route has none */
	readonly policy: TraceablePolicy | undefined;
	readonly source: Explanation["policy"]["source"];
	readonly etag: string | null;
	readonly lists: AddressLists;
	readonly limits: LimitAnswers;
	readonly nowMs: number;
	readonly goesOn: () => boolean;
}

export type ExplainOutcome =
	| { readonly explanation: Explanation }
	/** rate-limits that somebody has to be asked about first */
	| { readonly asked: readonly LimitQuestion[] };

export function explain(explained: Explained): ExplainOutcome {
	const first = new Run(explained, () => false);
	const explanation = first.run();
	if (first.asked.length > 0) return { asked: first.asked };
	const { inbound, outbound } = explanation;
	const wanted = partsWanted({ inbound: inbound.rules, outbound: outbound.rules });
	return { explanation: new Run(explained, wanted).run() };
}

class Run {
	readonly #explained: Explained;
	readonly #tracer = new Tracer();
	readonly #limits: AskedLimits;
	readonly #policy: TracedPolicy | undefined;
	readonly #notes: string[];

	constructor(explained: Explained, wantsParts: TraceOptions["wantsParts"]) {
		const { route, policy, config, limits, lists, goesOn, asked } = explained;
		this.#explained = explained;
		this.#notes = [...asked.notes];
		this.#limits = new AskedLimits(limits, this.#tracer);
		const context = {
			edgeId: route?.edge_id ?? "",
			routeId: route?.route_id ?? "",
			limiters: this.#limits,
			ipv6Prefix: config.rateLimits.ipv6Prefix,
			addressLists: lists,
			expressionErrors: config.expressionErrors,
		};
		const tracer = this.#tracer;
		this.#policy = policy && new TracedPolicy(policy, { tracer, context, wantsParts, goesOn });
	}

	get asked(): readonly LimitQuestion[] {
		return this.#limits.asked;
	}

	run(): Explanation {
		const { asked, config, question, seen, services } = this.#explained;
		const reader = new HeaderReader(config.underscoresInHeaders, new Counter());
		for (const [name, value] of asked.lines) reader.addBytes(name, utf8Bytes(value));
		const { method, rawPath, rawQuery } = asked;
		const head = checkRequest(method, rawPath, rawQuery, reader, config.allowTrace);
		if ("reply" in head) {
			const reason = "The request is refused before a route is looked for.";
			return this.#told(undefined, {
				inbound: notRun(reason),
				outbound: notRun(reason),
				answer: replied("refused", head.reply),
			});
		}
		const exchange = this.#exchange(head);
		exchange.carrier?.begin(exchange);
		// As `edge/seen/explain-tokens.ts` does.
		if (seen !== undefined) services.carrier.answerWithId(exchange);
		return this.#told(exchange, this.#decide(exchange, head, question));
	}

	#exchange(head: RequestHead): ExplainedExchange {
		const { asked, seen, services, question, nowMs } = this.#explained;
		const { listener, port, scheme } = asked;
		const address = parseAddress(question.request.client_ip);
		return new ExplainedExchange({
			...{ head, services, seen, nowMs, tracer: this.#tracer },
			context: { listener, scheme, port, sni: seen?.listener.sni ?? "" },
			clientIp: address === undefined ? question.request.client_ip : addressText(address),
		});
	}

	#decide(exchange: ExplainedExchange, head: RequestHead, question: ExplainQuestion): Decided {
		const { route, seen, services } = this.#explained;
		if (route === undefined) {
			const reason = "No route takes this host and path.";
			return {
				...{ inbound: notRun(reason), outbound: notRun(reason) },
				answer: replied("no_route", unseenReply(exchange, NO_ROUTE)),
			};
		}
		const slot = new PolicySlot(this.#policy === undefined ? "none" : "opening");
		if (this.#policy !== undefined) slot.ready(this.#policy);
		const { edge_id: edgeId, route_id: routeId, document } = route;
		const backend = backendOf(document.backend);
		exchange.route = new TableRoute(edgeId, routeId, document, backend, slot);
		if (head.via && isLoop(exchange.requestHeaders.lines("via"))) {
			const reason = "The request has passed weir too often.";
			return {
				...{ inbound: notRun(reason), outbound: notRun(reason) },
				answer: replied("loop", unseenReply(exchange, LOOP)),
			};
		}
		const decision: Decision =
			this.#policy === undefined
				? { kind: "continue" }
				: this.#finished(runPhase(this.#policy, "inbound", exchange, services));
		const inbound = phaseTold(decision, this.#tracer.rules("inbound"));
		if (decision.kind !== "continue") return this.#ended(exchange, decision, inbound);
		if (head.upgrade)
			this.#notes.push("It asks for another protocol: its backend decides on that.");
		const upstream = this.#upstream(exchange, route.document);
		const surroundings = { exchange, policy: this.#policy, services, tracer: this.#tracer };
		return { inbound, upstream, ...backendAnswer(question, seen, surroundings) };
	}

	/** Of a policy that suspends nothing. */
	#finished(outcome: ReturnType<typeof runPhase>): Decision {
		if (outcome.kind === "suspended") throw new Error("a traced policy was suspended");
		return outcome;
	}

	#ended(
		exchange: ExplainedExchange,
		decision: Exclude<Decision, { kind: "continue" }>,
		inbound: PhaseExplanation,
	): Decided {
		const reply = inboundReply(decision, exchange, this.#explained.services);
		if (typeof reply === "object" && isPending(reply)) throw new Error("outbound rules wait");
		const seen = decision.kind === "respond" && this.#policy?.outboundEmpty === false;
		const outbound = seen
			? outboundTold(exchange.answeredBy, this.#tracer.rules("outbound"))
			: unseen(this.#policy);
		const answer =
			reply === "close"
				? { by: "closed", status: 0, headers: [], content: null }
				: replied(exchange.answeredBy ?? decision.kind, reply);
		return { inbound, outbound, answer };
	}

	#upstream(exchange: ExplainedExchange, { backend }: RouteDocument): Explanation["upstream"] {
		const text = upstreamHeader(exchange, backend.host_header);
		return {
			urls: backend.urls.map((url) => `${url}`),
			method: exchange.method,
			target: exchange.target,
			headers: linesIn(text),
		};
	}

	#told(exchange: ExplainedExchange | undefined, decided: Decided): Explanation {
		const { asked, question, route, near, policy, source, etag, nowMs } = this.#explained;
		const { listener } = asked;
		const { document, ...chosen } = route ?? { document: undefined };
		return {
			now: new Date(nowMs).toISOString(),
			request: {
				method: question.request.method,
				url: question.request.url,
				client_ip: exchange?.clientIp ?? question.request.client_ip,
				listener: `${listener.host}:${listener.port}`,
			},
			route: document === undefined ? null : (chosen as ChosenRoute),
			near: [...near],
			policy: { source, etag, enabled: policy?.enabled ?? false },
			inbound: decided.inbound,
			upstream: decided.upstream ?? null,
			outbound: decided.outbound,
			answer: decided.answer ?? null,
			notes: this.#notes,
		};
	}
}

interface Decided extends BackendAnswer {
	readonly inbound: PhaseExplanation;
	readonly upstream?: Explanation["upstream"];
}
