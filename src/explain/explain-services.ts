/**
 * What the data path's requests share, for requests that nobody sent: trusted proxies, places, request ids as the
 * configuration has them; what counts and logs goes nowhere. Made by `explain-task.ts`, once for a
 * configuration, and by `replay/replay.ts`.
 */
import type { Config } from "../config.ts";
import { AccessLog } from "../edge/access/access-log.ts";
import { Carrier } from "../edge/access/carrier.ts";
import { type Geo, openGeo, UNKNOWN_PLACE } from "../edge/geo.ts";
import { TrustedProxies } from "../edge/request/client-address.ts";
import type { Backend } from "../edge/routing/backends.ts";
import { Services } from "../edge/services.ts";
import { BodyMemory } from "../edge/slow/body-memory.ts";
import type { BackendDocument } from "../store/resources.ts";
import type { Log } from "../telemetry/log.ts";
import { Metrics } from "../telemetry/metrics.ts";
import type { Evaluator } from "../threads/expression-evaluator.ts";
import type { Upstream } from "../upstream/upstream.ts";

const SILENT: Log = {
	info() {},
	encoded() {},
	warn() {},
	error() {},
	flush: () => Promise.resolve(),
	close: () => Promise.resolve(),
	reopen() {},
};

/** A traced policy suspends nothing, so nobody asks. */
const NO_EVALUATOR: Evaluator = {
	keep: () => () => {},
	ready: () => Promise.resolve(),
	evaluate(): never {
		throw new Error("an explained request waits for no thread");
	},
};

/** Nothing is sent. */
const NO_UPSTREAM: Upstream = {
	send(): never {
		throw new Error("an explained request goes to no backend");
	},
	close: () => Promise.resolve(),
	bodyBytes: 0,
	pressed: 0,
	occupancy: 0,
	takeStates: () => ({ waiting: 0, addresses: [] }),
};

/** @param evaluator settles what policies suspend */
export async function servicesFor(
	config: Config,
	evaluator: Evaluator = NO_EVALUATOR,
): Promise<Services> {
	return new Services({
		metrics: new Metrics(),
		log: SILENT,
		geo: await placesOf(config),
		trustedProxies: new TrustedProxies(config.trustedProxies),
		evaluator,
		accessLog: new AccessLog({ ...config.log, access: false }, SILENT),
		carrier: new Carrier(config),
	});
}

/** A file that can't be read any more tells of no place. */
async function placesOf({ geoDatabase }: Pick<Config, "geoDatabase">): Promise<Geo> {
	try {
		return await openGeo(geoDatabase);
	} catch {
		return { lookup: () => UNKNOWN_PLACE };
	}
}

const MEMORY = new BodyMemory();

export const backendOf = (document: BackendDocument): Backend => ({
	document,
	upstream: NO_UPSTREAM,
	bodies: MEMORY.share(NO_UPSTREAM),
	key: "",
});
