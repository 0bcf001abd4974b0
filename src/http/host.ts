/**
 * The one spelling of a host (contract 6): for choosing the edge, for `req.host`, `endpoint.host` and URLs, for
 * keys of rate-limits, and for the hostports of edges. Whoever reads a host calls it, so that no second spelling
 * slips past a policy that knows the first.
 */
import { isIPv6 } from "node:net";
import { asciiLowerCase } from "../ascii.ts";

/**
 * @param text a name, or an address, IPv6 in brackets; without port
 * @returns in lower case, without a trailing dot; IPv6 in its shortest form; undefined if a label is empty, or
 *   the brackets hold no address. Which characters a name may have is up to the caller
 */
export function hostSpelling(text: string): string | undefined {
	if (text.startsWith("[")) return shortestIPv6(text);
	const name = text.endsWith(".") ? text.slice(0, -1) : text;
	if (name === "" || name.startsWith(".") || name.endsWith(".") || name.includes("..")) {
		return undefined;
	}
	return asciiLowerCase(name);
}

/** A zone means something on one machine only. */
function shortestIPv6(bracketed: string): string | undefined {
	const address = bracketed.slice(1, -1);
	const isAddress = bracketed.endsWith("]") && isIPv6(address) && !address.includes("%");
	return isAddress ? new URL(`http://[${address}]`).hostname : undefined;
}
