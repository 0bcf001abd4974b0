/**
 * What of the configuration decides how policies are judged: bounds, and what of a request can be known. Called by
 * supervisor/serve.ts for the management API and by process/check/check-policy.ts for files.
 */
import type { Config } from "../../config.ts";
import type { ValidationOptions } from "../../policy/document/validate.ts";

type Deciding = Pick<
	Config,
	"front" | "limits" | "listen" | "geoDatabase" | "expressionErrors" | "rateLimits"
>;

const known = new WeakMap<Deciding, ValidationOptions>();

/** As `policyOptions`: the same object for the same configuration. */
export function knownOptions(config: Deciding): ValidationOptions {
	const options = known.get(config) ?? policyOptions(config);
	known.set(config, options);
	return options;
}

export const policyOptions = ({
	front,
	limits,
	listen,
	geoDatabase,
	expressionErrors,
	rateLimits,
}: Deciding): ValidationOptions => {
	const hasTls = listen.some(({ tls }) => tls.length > 0);
	return {
		rulesPerPhase: limits.rules,
		running: { expressionErrors, ipv6Prefix: rateLimits.ipv6Prefix },
		around: {
			tls: hasTls,
			clientHellos: hasTls && front === "on",
			geo: geoDatabase !== null,
			clientPort: front === "on" || listen.some(({ proxyProtocol }) => proxyProtocol),
		},
	};
};
