/** What tells of requests, for tests: settings of the log, an access log that writes to a list, and who names requests. */
import { type Config, camelCased, configSchema } from "../src/config.ts";
import { AccessLog } from "../src/edge/access/access-log.ts";
import { Carrier } from "../src/edge/access/carrier.ts";
import type { Log } from "../src/telemetry/log.ts";

const DEFAULTS = configSchema.parse({});

export const logSettings = (changes: Partial<Config["log"]> = {}): Config["log"] => ({
	...camelCased(DEFAULTS.log),
	...changes,
});

export const requestIdSettings = (
	changes: Partial<Config["requestId"]> = {},
): Config["requestId"] => ({ ...DEFAULTS.request_id, ...changes });

export const tracingSettings = (changes: Partial<Config["tracing"]> = {}): Config["tracing"] => ({
	...camelCased(DEFAULTS.tracing),
	...changes,
});

/** Names requests in the log and to nobody else. */
export const quietCarrier = (): Carrier =>
	new Carrier({ requestId: requestIdSettings(), tracing: tracingSettings() });

export const accessLogTo = (log: Pick<Log, "encoded">, isOn = false): AccessLog =>
	new AccessLog(logSettings({ access: isOn }), log);
