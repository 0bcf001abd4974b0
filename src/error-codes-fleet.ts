/**
 * The parts of the table of error codes that are about a fleet (docs/fleet.md), by status. Parts of `ERROR_CODES`
 * (`error-codes.ts`), some of them through `error-codes-access.ts` and `error-codes-resources.ts`.
 */
export const FLEET_ACCESS_CODES = {
	ERR_FLEET_READ_ONLY: {
		status: 403,
		origin: "api",
		cause: "This machine is in the fleet with the role `edge`, which may read and not write.",
		remedy: "Send the request to a machine with the role `manager`.",
	},
} as const;

export const FLEET_MISSING_CODES = {
	ERR_FLEET_MEMBER_NOT_FOUND: {
		status: 404,
		origin: "api",
		cause: "The fleet has never heard of such a member, or has forgotten it.",
		remedy: "`GET /fleet` lists those it knows.",
	},
	ERR_NO_FLEET: {
		status: 404,
		origin: "api",
		cause: "This machine is in no fleet.",
		remedy: "`fleet:` in the configuration makes it a member of one.",
	},
} as const;

export const FLEET_CONFLICT_CODES = {
	ERR_FLEET_LEVEL: {
		status: 409,
		origin: "api",
		cause: "The document needs a newer weir than some machines of the fleet run.",
		remedy: "Upgrade the machines that the message names, or forget those that are gone.",
	},
} as const;

export const FLEET_AWAY_CODES = {
	ERR_FLEET_UNAVAILABLE: {
		status: 503,
		origin: "api",
		cause:
			"This machine is cut off from its fleet, or lags behind the revision that was asked for, or others' writes came first too often; nothing was changed.",
		remedy: "Send the request again after `retry-after`, or to another machine.",
	},
	ERR_FLEET_CUT_OFF: {
		status: 503,
		origin: "edge",
		cause:
			"The machine is in a fleet, and has no configuration yet, or was cut off for longer than `fleet.when_cut_off` allows.",
		remedy: "`/readyz` says why; `weir fleet status` on the machine says more.",
	},
	ERR_FLEET_UNCERTAIN: {
		status: 504,
		origin: "api",
		cause:
			"The connection to the fleet's engine broke before its answer: the change was made or not, and will be everywhere or nowhere.",
		remedy: "Send the same request again: it has the same effect.",
	},
} as const;
