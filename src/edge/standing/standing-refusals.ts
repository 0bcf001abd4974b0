/**
 * Has the front refuse by itself what policies refuse whoever asks (native/README.md, "Standing refusals"), and counts what
 * it refused as if it had come here. A refusal stands from the first request that JavaScript has refused so, until the
 * route, its policy or what every request needs is another. Made by `edge.ts`, told of refusals by `pipeline.ts`.
 */
import type { Front } from "../../http/front.ts";
import {
	clearStanding,
	clientOf,
	dropStanding,
	isUsual,
	listenerOf,
	putStanding,
	takeCounts,
	takeFacts,
	wakeStanding,
} from "../../http/standing.ts";
import { LIMITS } from "../../limits/limits.ts";
import type {
	CompiledPolicy,
	Outcome,
	Place,
	Standing,
	StandingRefusal,
} from "../../policy/exchange.ts";
import type { Change } from "../../store/store.ts";
import { type Counter, series } from "../../telemetry/metrics.ts";
import { newRequestId } from "../../telemetry/request-id.ts";
import type { Exchange } from "../exchange.ts";
import type { Route } from "../routing/route.ts";
import type { RouteTable } from "../routing/route-table.ts";
import type { Services } from "../services.ts";
import { answerTo, limitOf } from "./standing-answer.ts";

interface Stands {
	readonly number: number;
	/** by which it is found */
	readonly key: string;
	readonly route: Route;
	readonly policy: CompiledPolicy;
	readonly refusal: Standing;
	readonly place: Place;
	/** in normal form */
	readonly host: string;
}

const STOOD = series("weir_standing_refusals_total", {});
const TOO_MANY = 429;
/** A part of a string keeps the whole alive, and a host may be a part of a header. */
const copyOf = (text: string): string => Buffer.from(text, "latin1").toString("latin1");

export class StandingRefusals {
	readonly #front: Front;
	readonly #services: Services;
	readonly #stood: Counter;
	readonly #table: Pick<RouteTable, "hasNoneBelow">;
	#byNumber: (Stands | undefined)[] = [];
	readonly #byKey = new Map<string, Stands>();
	readonly #byRoute = new Map<string, Set<Stands>>();
	#free: number[] = [];
	/** how many there are of the same host whose path is a prefix */
	readonly #prefixes = new Map<string, number>();
	/** how many more may be made before the next tick */
	#left: number = LIMITS.standingMadePerTick;
	#isOff = false;

	constructor(front: Front, services: Services, table: Pick<RouteTable, "hasNoneBelow">) {
		this.#front = front;
		this.#services = services;
		this.#stood = services.metrics.counter(STOOD);
		this.#table = table;
		takeFacts(services.refusals.room);
		setInterval(() => this.#tick(), LIMITS.frontTickMs).unref();
	}

	get size(): number {
		return this.#byKey.size;
	}

	/** Hot. JavaScript has refused the request that came last, and answered it. @param ending by which decision */
	refused(exchange: Exchange, ending: Outcome["kind"]): void {
		if (this.#left <= 0 || this.#isOff) return;
		const policy = exchange.route?.slot.policy;
		const standing = policy?.standing;
		if (standing?.refusal.kind !== ending) return;
		// A candidate is to see every request.
		if (exchange.shadow !== undefined) return;
		if (!exchange.client.isFront || !isUsual(this.#front.numbers)) return;
		const { accessLog, carrier, draining } = this.#services;
		if (accessLog.isOn || carrier.acts || draining || exchange.method === "HEAD") return;
		this.#left--;
		const { route, head } = exchange;
		if (route === undefined) return;
		const listener = listenerOf(this.#front.numbers);
		const isExact = route.matchType === "exact_path";
		const alike = `${listener} ${head.host} `;
		const known = this.#byKey.get(`${alike}${isExact ? "=" : "^"}${route.match}`);
		if (known !== undefined) wakeStanding(known.number);
		else if (isExact || this.#mayBePrefix(alike, route)) {
			this.#stand(alike, listener, exchange, route, standing);
		}
	}

	#mayBePrefix(alike: string, route: Route): boolean {
		const isRoom = (this.#prefixes.get(alike) ?? 0) < LIMITS.standingPrefixes;
		return isRoom && this.#table.hasNoneBelow(route);
	}

	#stand(
		alike: string,
		listener: number,
		exchange: Exchange,
		route: Route,
		{ refusal, place }: StandingRefusal,
	): void {
		const { policy } = route.slot;
		const answer = answerTo(refusal);
		if (answer === undefined || policy === undefined) return;
		if (this.#byKey.size >= LIMITS.standingRefusals) this.#replace();
		const isExact = route.matchType === "exact_path";
		const number = this.#free.pop() ?? this.#byNumber.length;
		const { host } = exchange.head;
		const of = { listener, host, path: route.match, isExact };
		if (!putStanding(number, { ...answer, ...of, ...limitOf(refusal, exchange.host) })) {
			if (number < this.#byNumber.length) this.#free.push(number);
			return;
		}
		const key = `${copyOf(alike)}${isExact ? "=" : "^"}${route.match}`;
		const made = { number, key, route, policy, refusal, place, host: exchange.host };
		this.#byNumber[number] = made;
		this.#byKey.set(key, made);
		const id = idOf(route);
		const others = this.#byRoute.get(id);
		if (others === undefined) this.#byRoute.set(id, new Set([made]));
		else others.add(made);
		if (!isExact) this.#prefixes.set(copyOf(alike), (this.#prefixes.get(alike) ?? 0) + 1);
	}

	/** The oldest goes for another one. */
	#replace(): void {
		this.#left -= LIMITS.standingReplacing;
		this.collect();
		for (const stands of this.#byKey.values()) {
			this.#drop(stands);
			return;
		}
	}

	/** These are about to be taken over. */
	changing(changes: readonly Change[]): void {
		if (this.#byKey.size === 0) return;
		if (changes.some(({ kind }) => kind !== "policy")) {
			this.dropAll();
			return;
		}
		this.collect();
		for (const change of changes) {
			if (change.kind !== "policy") continue;
			for (const stands of this.#byRoute.get(idOf(change)) ?? []) this.#drop(stands);
		}
	}

	/** What every request needs will be another. */
	dropAll(): void {
		this.collect();
		clearStanding();
		this.#byNumber = [];
		this.#free = [];
		this.#byKey.clear();
		this.#byRoute.clear();
		this.#prefixes.clear();
	}

	/** Every request is to come here from now on. */
	close(): void {
		this.#isOff = true;
		this.dropAll();
	}

	/** What it has counted has been collected. */
	#drop(stands: Stands): void {
		const { number, key, route } = stands;
		dropStanding(number);
		this.#byNumber[number] = undefined;
		this.#byKey.delete(key);
		this.#free.push(number);
		const id = idOf(route);
		const others = this.#byRoute.get(id);
		others?.delete(stands);
		if (others?.size === 0) this.#byRoute.delete(id);
		if (route.matchType === "exact_path") return;
		const alike = key.slice(0, key.indexOf("^"));
		const left = (this.#prefixes.get(alike) ?? 0) - 1;
		if (left > 0) this.#prefixes.set(alike, left);
		else this.#prefixes.delete(alike);
	}

	#tick(): void {
		this.#left = LIMITS.standingMadePerTick;
		if (this.#byKey.size > 0) this.collect();
	}

	/** Counts what the front has refused. */
	collect(): void {
		const { refusals } = this.#services;
		takeCounts((number, requests, bytes) => this.#counted(number, requests, bytes));
		for (const fact of takeFacts(0)) {
			const stands = this.#byNumber[fact.number];
			if (stands === undefined) continue;
			const { route, host, place, refusal } = stands;
			const request = {
				edgeId: route.edgeId,
				routeId: route.routeId,
				loggedIp: clientOf(fact),
				host,
				head: { method: fact.method, rawPath: fact.path },
				endedBy: place,
				limit: refusal.kind === "limited" ? refusal.name : undefined,
				requestId: newRequestId(),
			};
			// It is counted already.
			refusals.unkept(-1);
			if (refusal.kind !== "limited") refusals.byPolicy(request, refusal, fact.wallMs);
			else refusals.byPolicy(request, { kind: "limited", retryAfterSeconds: 1 }, fact.wallMs);
		}
		takeFacts(refusals.room);
	}

	#counted(number: number, requests: number, bytes: number): void {
		const stands = this.#byNumber[number];
		if (stands === undefined) return;
		const { route, policy, refusal, place } = stands;
		const services = this.#services;
		this.#stood.value += requests;
		policy.countStanding?.(requests);
		if (refusal.kind === "limited") {
			services.limitsExceeded.exceeded(route, place, refusal.name, true, requests);
		}
		const statusCode = refusal.kind === "limited" ? TOO_MANY : refusal.statusCode;
		services.stood(refusal.kind, statusCode, route, requests, bytes);
		// As `Refusals.byPolicy` has it.
		if (refusal.kind !== "respond" || statusCode >= 400) services.refusals.unkept(requests);
	}
}

const idOf = ({ edgeId, routeId }: Pick<Route, "edgeId" | "routeId">): string =>
	`${edgeId}\n${routeId}`;
