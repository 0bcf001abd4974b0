/**
 * The part of the table of error codes that says why somebody may not (contract 2, "Auth"; contract 5, basic-auth and
 * restrict-ips): 401 and 403. A part of `ERROR_CODES` (`error-codes.ts`).
 */
import { FLEET_ACCESS_CODES } from "./error-codes-fleet.ts";

export const ACCESS_CODES = {
	ERR_UNAUTHORIZED: {
		status: 401,
		origin: "api",
		cause: "The request carries no API key.",
		remedy: "Send `authorization: Bearer <key>`.",
	},
	ERR_CREDENTIALS_REQUIRED: {
		status: 401,
		origin: "edge",
		cause:
			"A basic-auth of the route's policy wants a user name and password, or does not know those that came.",
		remedy: "Send them as `authorization: Basic …`.",
	},
	ERR_FORBIDDEN: {
		status: 403,
		origin: "api",
		cause: "The API key is unknown or revoked, or the field is malformed.",
		remedy: "Use a key that `weir keys list` shows, or create one.",
	},
	ERR_KEY_EXPIRED: {
		status: 403,
		origin: "api",
		cause: "The API key was valid until the time that `msg` names.",
		remedy: "Create another with `weir keys create`, and revoke this one.",
	},
	ERR_ROLE_REQUIRED: {
		status: 403,
		origin: "api",
		cause: "The API key is valid, but its role does not allow this operation.",
		remedy: "Use a key with the role that `msg` names: `weir keys create --role ROLE`.",
	},
	ERR_CROSS_ORIGIN: {
		status: 403,
		origin: "api",
		cause: "A browser sends the request for a web page that this API has not served.",
		remedy:
			"Use the API from a program, or from the pages that it serves itself; behind a proxy list the name that browsers see in `management.hosts`.",
	},
	ERR_ADDRESS_REFUSED: {
		status: 403,
		origin: "edge",
		cause: "A restrict-ips of the route's policy refuses the client's address.",
		remedy: "Ask from an allowed one; `trusted_proxies` decides whose address counts.",
	},
	...FLEET_ACCESS_CODES,
} as const;
