/**
 * The hosts that the API answers to (contract 2, "Host"): addresses, `localhost`, and the names that an operator gave
 * it. A page of a foreign site whose name was made to lead to this machine (DNS rebinding) is still of that name, so
 * its requests end here, before anybody looks at a key. Made by `server.ts`.
 */
import { isIPv4 } from "node:net";
import { ApiError } from "../../errors.ts";
import { hostSpelling } from "../../http/host.ts";
import { type Authority, parseAuthority } from "../../http/target.ts";
import type { ApiRequest } from "./request.ts";

const WILDCARD = "*";

export class KnownHosts {
	readonly #names = new Set<string>(["localhost"]);
	/** with the dot in front; nobody can register a name below `localhost` (RFC 6761 6.3) */
	readonly #below = [".localhost"];

	/** @param names host names in any spelling, `*.example.com` for all below one; addresses are known anyway */
	constructor(names: Iterable<string>) {
		for (const name of names) {
			const isWildcard = name.startsWith(`${WILDCARD}.`);
			const host = hostSpelling(isWildcard ? name.slice(2) : name);
			if (host === undefined) continue;
			if (isWildcard) this.#below.push(`.${host}`);
			else this.#names.add(host);
		}
	}

	/** @param host as `hostSpelling` has it */
	has(host: string): boolean {
		return (
			this.#names.has(host) ||
			host.startsWith("[") ||
			isIPv4(host) ||
			this.#below.some((end) => host.endsWith(end) && host.length > end.length)
		);
	}

	/** The host that a request is for. The port may be any: somebody may forward one. @throws ApiError 400, 421 */
	check(request: ApiRequest): Authority {
		const authority = parseAuthority(request.headers("host")[0] ?? "");
		if (authority === undefined)
			throw new ApiError(
				"ERR_BAD_REQUEST",
				"The request is refused: the host field names no host.",
			);
		if (this.has(authority.host)) return authority;
		throw new ApiError(
			"ERR_UNKNOWN_HOST",
			`The name "${authority.host}" is none of this API's: list it in management.hosts of weir's configuration, or use an address or localhost.`,
		);
	}
}
