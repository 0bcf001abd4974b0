/**
 * Has the front refuse by itself what policies refuse by their first rules (native/README.md, "Standing refusals"), and counts what
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
import { ownCopy } from "../../own-copy.ts";
import type { Outcome, Standing } from "../../policy/exchange.ts";
import type { Change } from "../../store/store.ts";
import { type Counter, series } from "../../telemetry/metrics.ts";
import { newRequestId } from "../../telemetry/request-id.ts";
import type { Exchange } from "../exchange.ts";
import { statusOf as statusOfDecision } from "../refused-requests.ts";
import type { Route } from "../routing/route.ts";
import type { RouteTable } from "../routing/route-table.ts";
import type { Services } from "../services.ts";
import { type Guard, StandingGuards } from "./standing-guards.ts";
import { Numbers } from "./standing-numbers.ts";

interface Stands {
	readonly number: number;
	/** by which it is found */
	readonly key: string;
	readonly route: Route;
	readonly guard: Guard;
	/** in normal form */
	readonly host: string;
}

const STOOD = series("weir_standing_refusals_total", {});

export class StandingRefusals {
	readonly #front: Front;
	readonly #services: Services;
	readonly #stood: Counter;
	readonly #table: Pick<RouteTable, "hasNoneBelow">;
	#byNumber: (Stands | undefined)[] = [];
	readonly #byKey = new Map<string, Stands>();
	readonly #byRoute = new Map<string, Set<Stands>>();
	readonly #numbers = new Numbers();
	/** how many there are of the same host whose path is a prefix */
	readonly #prefixes = new Map<string, number>();
	/** how many more may be made before the next tick */
	#left: number = LIMITS.standingMadePerTick;
	readonly #guards = new StandingGuards();
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
		const { route, endedBy } = exchange;
		const policy = route?.policy;
		if (policy === undefined || policy.neverStands === true || endedBy === undefined) return;
		// A candidate is to see every request.
		if (exchange.shadow !== undefined || route?.candidate !== undefined) return;
		if (!exchange.client.isFront || !isUsual(this.#front.numbers)) return;
		const { accessLog, carrier, draining } = this.#services;
		if (accessLog.isOn || carrier.acts || draining || exchange.method === "HEAD") return;
		const { ruleIndex } = endedBy;
		const before = this.#guards.of(policy, ruleIndex, ending);
		if (route === undefined || (before === undefined && this.#guards.wasTried(policy, ruleIndex)))
			return;
		this.#left--;
		const listener = listenerOf(this.#front.numbers);
		const isExact = route.matchType === "exact_path";
		const alike = `${listener} ${exchange.head.host} `;
		const known = this.#byKey.get(`${alike}${isExact ? "=" : "^"}${route.match}`);
		if (known === undefined && !isExact && !this.#mayBePrefix(alike, route)) return;
		const guard = before ?? this.#guards.make(policy, ruleIndex, ending);
		this.#left -= this.#guards.takeCost();
		if (guard === undefined) return;
		if (known?.guard === guard) wakeStanding(known.number);
		else {
			if (known !== undefined) this.#dropCounted(known);
			this.#stand(alike, listener, exchange, route, guard);
		}
	}

	#mayBePrefix(alike: string, route: Route): boolean {
		const isRoom = (this.#prefixes.get(alike) ?? 0) < LIMITS.standingPrefixes;
		return isRoom && this.#table.hasNoneBelow(route);
	}

	#stand(alike: string, listener: number, exchange: Exchange, route: Route, guard: Guard): void {
		// Not to be given back with what goes for it.
		guard.uses++;
		if (this.#byKey.size >= LIMITS.standingRefusals) this.#replace();
		const isExact = route.matchType === "exact_path";
		const number = this.#numbers.take();
		const { host, authority } = exchange.head;
		const of = { listener, host, normalHost: authority.host, path: route.match, isExact };
		putStanding(number, { ...of, guard: guard.shared.number });
		const key = `${ownCopy(alike)}${isExact ? "=" : "^"}${route.match}`;
		const made = { number, key, route, guard, host: ownCopy(authority.host) };
		this.#byNumber[number] = made;
		this.#byKey.set(key, made);
		this.#byRoute.set(idOf(route), (this.#byRoute.get(idOf(route)) ?? new Set()).add(made));
		if (!isExact) this.#prefixes.set(ownCopy(alike), (this.#prefixes.get(alike) ?? 0) + 1);
	}

	/** The oldest goes for another one. */
	#replace(): void {
		this.#left -= LIMITS.standingReplacing;
		const [oldest] = this.#byKey.values();
		if (oldest !== undefined) this.#dropCounted(oldest);
	}

	#dropCounted(stands: Stands): void {
		this.collect();
		this.#drop(stands);
	}

	/** These are about to be taken over. */
	changing(changes: readonly Change[]): void {
		if (this.#byKey.size === 0) return;
		if (changes.some(({ kind }) => kind !== "policy")) this.dropAll();
		else this.collect();
		for (const change of changes) {
			if (change.kind !== "policy") continue;
			for (const stands of this.#byRoute.get(idOf(change)) ?? []) this.#drop(stands);
		}
	}

	/** What every request needs will be another. */
	dropAll(): void {
		this.collect();
		clearStanding();
		this.#guards.clear();
		this.#byNumber = [];
		this.#numbers.clear();
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
		const { number, key, route, guard } = stands;
		dropStanding(number);
		if (--guard.uses === 0) this.#guards.release(guard);
		this.#byNumber[number] = undefined;
		this.#byKey.delete(key);
		this.#numbers.free(number);
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
		takeCounts((number, of, requests, bytes) => {
			const stands = this.#byNumber[number];
			if (stands === undefined) return;
			if (of < 0) stands.guard.policy.countStanding?.(-1 - of, requests, false);
			else this.#counted(stands, of, requests, bytes);
		});
		for (const fact of takeFacts(0)) {
			const stands = this.#byNumber[fact.number];
			const refusal = stands?.guard.refusals[fact.refusal];
			if (stands === undefined || refusal === undefined) continue;
			const { route, host } = stands;
			const { does, place } = refusal;
			// No refusal, and not counted as one (`#counted`).
			if (does.kind === "respond" && statusOf(does) < 400) continue;
			const request = {
				edgeId: route.edgeId,
				routeId: route.routeId,
				loggedIp: clientOf(fact),
				host,
				head: { method: fact.method, rawPath: fact.path },
				endedBy: place,
				limit: does.kind === "limited" ? does.name : undefined,
				requestId: newRequestId(),
			};
			// It is counted already.
			refusals.unkept(-1);
			if (does.kind !== "limited") refusals.byPolicy(request, does, fact.wallMs);
			else refusals.byPolicy(request, { kind: "limited", retryAfterSeconds: 1 }, fact.wallMs);
		}
		takeFacts(refusals.room);
	}

	#counted({ route, guard }: Stands, of: number, requests: number, bytes: number): void {
		const refusal = guard.refusals[of];
		if (refusal === undefined) return;
		const { does, place, rule } = refusal;
		const services = this.#services;
		this.#stood.value += requests;
		guard.policy.countStanding?.(rule, requests, does.kind !== "respond");
		if (does.kind === "limited")
			services.limitsExceeded.exceeded(route, place, does.name, true, requests);
		const statusCode = statusOf(does);
		services.stood(does.kind, statusCode, route, requests, bytes);
		// As `Refusals.byPolicy` has it.
		if (does.kind !== "respond" || statusCode >= 400) services.refusals.unkept(requests);
	}
}

/** In words of `Refusals`. */
const statusOf = (does: Standing): number =>
	statusOfDecision(does.kind === "limited" ? { kind: "limited", retryAfterSeconds: 1 } : does);

const idOf = ({ edgeId, routeId }: Pick<Route, "edgeId" | "routeId">): string =>
	`${edgeId}\n${routeId}`;
