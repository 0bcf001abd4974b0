/**
 * What a route's rate-limits have counted (contract 2), over all workers: `GET …/rate-limits` lists them, `GET` and
 * `DELETE …/rate-limits/{limit}/keys/{key…}` look up and reset one key. The counters hold hashes: keys are told only by
 * who asks for them.
 */
import { setImmediate as turn } from "node:timers/promises";
import { ApiError } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { CountedLimit, CountedLimits, KeyPart } from "../../policy/admission.ts";
import { givenKey } from "../../policy/given-key.ts";
import { type ConfiguredLimit, limitsOf } from "../../policy/limits-of.ts";
import type { ListedRateLimit, RateLimitKey } from "../answers.ts";
import { type Context, policyNotFound } from "../context.ts";
import { describedLimit } from "../described-limit.ts";
import { json, NO_CONTENT } from "../http/reply.ts";
import type { Ids, Methods } from "../http/router.ts";
import { EDGES_PATH } from "./edges.ts";

const SECOND_MS = 1000;
/** milliseconds of work between which others have their turn */
const SLICE_MS = 5;

type Wanted = Pick<Ids, "edgeId" | "routeId">;

/** @throws ApiError 404 there is no policy */
async function configured(
	{ store }: Pick<Context, "store">,
	{ edgeId, routeId }: Wanted,
): Promise<readonly ConfiguredLimit[]> {
	const stored = store.policy(edgeId, routeId);
	if (stored === undefined) throw policyNotFound();
	const steps = limitsOf(stored.document, edgeId, routeId);
	for (let beganMs = performance.now(); ; ) {
		const step = steps.next();
		if (step.done === true) return step.value;
		if (performance.now() - beganMs < SLICE_MS) continue;
		await turn();
		beganMs = performance.now();
	}
}

/** @throws ApiError 503 nobody knows what all workers have counted */
function countsOf({ counts }: Pick<Context, "counts">): CountedLimits {
	const known = counts();
	if (known !== undefined) return known;
	throw new ApiError(
		"ERR_NOT_READY",
		"The workers don't share their counters, so nobody knows what they have counted together; the log says why.",
	);
}

function presented(
	configured: ConfiguredLimit,
	number: number,
	{ edgeId, routeId }: Wanted,
	counts: CountedLimits,
): ListedRateLimit {
	const totals = counts.look(configured.identity, (counted) => counted.totals());
	const uri = `${EDGES_PATH}/${edgeId}/routes/${routeId}/rate-limits/${number}`;
	return {
		id: String(number),
		keys_uri: `${uri}/keys`,
		...describedLimit(configured),
		config: configured.config,
		live_keys: totals?.live ?? 0,
		admitted: totals?.admitted ?? 0,
		rejected: totals?.rejected ?? 0,
	};
}

interface OneKey {
	readonly found: ConfiguredLimit;
	readonly parts: readonly KeyPart[];
}

/** @throws ApiError 404 there is no such limit; 400 the key is none of this limit */
async function oneKey(context: Context, ids: Ids): Promise<OneKey> {
	const all = await configured(context, ids);
	const found = /^(?:0|[1-9]\d{0,5})$/.test(ids.limit) ? all[Number(ids.limit)] : undefined;
	if (found === undefined) {
		const has = all.length === 0 ? "none" : `0 to ${all.length - 1}`;
		throw new ApiError(
			"ERR_RATE_LIMIT_NOT_FOUND",
			`The policy has no rate-limit "${ids.limit}"; it has ${has}.`,
		);
	}
	const { limit } = found;
	const prefix = limit.ipv6Prefix ?? context.ipv6Prefix();
	const parts = givenKey(ids.key, limit.elements, prefix);
	if (!parts.ok) throw new ApiError("ERR_INVALID_KEY", `This is no key: ${parts.error}.`);
	return { found, parts: parts.value };
}

type KeyState = Omit<RateLimitKey, "key">;

/** What is used is a little too much where a limit is not counted exactly (contract 5, "Counting"). */
function stateOf(
	limit: CountedLimit,
	parts: readonly KeyPart[],
	{ capacity, counted }: ConfiguredLimit["limit"],
): KeyState {
	// What is counted after the answer is admitted where no key can be added.
	const waitMs = limit.decide(counted === undefined ? "try" : "look", 1, parts);
	const { remaining, freesMs } = limit.room;
	return {
		capacity,
		used: capacity - remaining,
		remaining,
		limited: waitMs > 0,
		frees_in_seconds: Math.ceil(freesMs / SECOND_MS),
	};
}

const UNUSED = (capacity: number): KeyState => ({
	capacity,
	used: 0,
	remaining: capacity,
	limited: false,
	frees_in_seconds: 0,
});

export function rateLimitListMethods(context: Context): Methods {
	return {
		GET: {
			role: "read",
			takesBody: false,
			async run(_request, ids) {
				const counts = countsOf(context);
				const limits = await configured(context, ids);
				const shown = limits.slice(0, LIMITS.rateLimitsListed);
				return json(200, {
					rate_limits: shown.map((limit, number) => presented(limit, number, ids, counts)),
					more: limits.length - shown.length,
				});
			},
		},
	};
}

export function rateLimitKeyMethods(context: Context): Methods {
	return {
		GET: {
			role: "read",
			takesBody: false,
			async run(_request, ids) {
				const counts = countsOf(context);
				const { found, parts } = await oneKey(context, ids);
				const state = counts.look(found.identity, (limit) => stateOf(limit, parts, found.limit));
				return json(200, { key: ids.key, ...(state ?? UNUSED(found.limit.capacity)) });
			},
		},
		DELETE: {
			operation: "resetRateLimitKey",
			isLocal: true,
			role: "admin",
			takesBody: false,
			async run(request, ids) {
				const counts = countsOf(context);
				const { found, parts } = await oneKey(context, ids);
				const wasThere = counts.look(found.identity, (limit) => limit.forget(parts));
				request.notes.done = wasThere === true ? "deleted" : "unchanged";
				return NO_CONTENT;
			},
		},
	};
}
