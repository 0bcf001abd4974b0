/** Lines of logs, policies and replays for the tests of this folder. */
import { type Config, camelCased, configSchema } from "../../src/config.ts";
import { AddressSet } from "../../src/http/address-set.ts";
import type { AddressList } from "../../src/policy/address-lists.ts";
import { validatePolicy } from "../../src/policy/document/validate.ts";
import { preparePolicy } from "../../src/policy/rules/compile.ts";
import { openReplay, type ReplayOptions } from "../../src/replay/replay.ts";
import type { ReplayReport } from "../../src/replay/shapes.ts";
import type { PolicySource } from "../../src/replay/simulation.ts";

export const BEGIN_MS = Date.parse("2026-11-22T17:00:00.000Z");

/** A line as weir writes it. @param endMs after `BEGIN_MS` */
export const jsonLine = (endMs: number, fields: object = {}): string =>
	JSON.stringify({
		...{ level: "info", time: new Date(BEGIN_MS + endMs).toISOString(), pid: 1, request_id: "i" },
		...{ edge: "e", route: "r", client_ip: "192.0.2.7", method: "GET", host: "a.example" },
		...{ path: "/x", protocol: "HTTP/1.1", status: 200, outcome: "upstream", duration_ms: 0.5 },
		...fields,
		msg: "request",
	});

export function source(
	document: object,
	lists: ReadonlyMap<string, AddressList> = new Map(),
): PolicySource {
	const checked = validatePolicy(document, { rulesPerPhase: 100 });
	if (!checked.ok) throw new Error(JSON.stringify(checked.error));
	const steps = preparePolicy(checked.value.document);
	let step = steps.next();
	while (step.done !== true) step = steps.next();
	const prepared = step.value;
	const missingLists = new Set<string>();
	return {
		policyOf: () => prepared,
		covers: (edge) => edge !== "strange",
		isByRoute: false,
		missingLists,
		addressLists: {
			find(name) {
				if (!lists.has(name)) missingLists.add(name);
				return lists.get(name) ?? { set: AddressSet.of([]) };
			},
		},
	};
}

const FILE = configSchema.parse({});
const CONFIG = {
	...camelCased(FILE),
	listen: [],
	keysPerRateLimit: 1000,
	rateLimits: camelCased(FILE.rate_limits),
	log: camelCased(FILE.log),
	requestId: FILE.request_id,
	tracing: camelCased(FILE.tracing),
	geoDatabase: null,
	expressionErrors: "reject",
	trustedProxies: [],
} as unknown as Config;

export async function replayed(
	lines: readonly string[],
	options: Partial<ReplayOptions> & Pick<ReplayOptions, "policy">,
): Promise<ReplayReport> {
	const defaults = { against: undefined, config: CONFIG, isLogged: false, route: undefined };
	const replay = await openReplay({ ...defaults, top: 10, samples: 2, ...options });
	try {
		for (const [at, line] of lines.entries()) replay.take(line, "log", at + 1);
		return replay.end(true);
	} finally {
		replay.close();
	}
}
