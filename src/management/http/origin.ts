/**
 * Which web pages may use the API from a browser: only those that the API itself serves (contract 2, "Browsers").
 * Programs other than browsers send none of the fields that this looks at. Called by `admission.ts`.
 */
import { quoted } from "../../documents/nearest.ts";
import { ApiError } from "../../errors.ts";
import { type Authority, defaultPort, parseAuthority } from "../../http/target.ts";
import type { KnownHosts } from "./known-hosts.ts";
import type { ApiRequest } from "./request.ts";

export type Scheme = "http" | "https";

/** `none`: somebody has typed the address */
const OWN_SITES: readonly string[] = ["same-origin", "none"];

/** @param host that the request is for @throws ApiError 403 */
export function checkOrigin(
	request: ApiRequest,
	scheme: Scheme,
	host: Authority,
	hosts: KnownHosts,
): void {
	const sites = request.headers("sec-fetch-site");
	const origins = request.headers("origin");
	if (!sites.every((site) => OWN_SITES.includes(site)) && !isLinkFollowed(request))
		throw crossOrigin(origins[0]);
	// A page can't write this field. It holds behind a proxy, too, that ends TLS or changes the host.
	const saysSame = sites.length > 0 && sites.every((site) => site === "same-origin");
	for (const origin of origins) {
		const found = ORIGIN.exec(origin);
		const from = parseAuthority(found?.[2] ?? "");
		const isOwn =
			from !== undefined &&
			(isSame(found?.[1] as Scheme, from, scheme, host) || (saysSame && hosts.has(from.host)));
		if (!isOwn) throw crossOrigin(origin);
	}
}

const ORIGIN = /^(https?):\/\/([^/]+)$/;

const isSame = (fromScheme: Scheme, from: Authority, scheme: Scheme, host: Authority): boolean =>
	fromScheme === scheme &&
	from.host === host.host &&
	(from.port ?? defaultPort(scheme)) === (host.port ?? defaultPort(scheme));

/** A link to a page of this API on a page elsewhere, which sees nothing of the answer and sends no key along. */
const isLinkFollowed = (request: ApiRequest): boolean =>
	(request.method === "GET" || request.method === "HEAD") &&
	request.headers("sec-fetch-mode").join() === "navigate" &&
	request.headers("sec-fetch-dest").join() === "document";

const crossOrigin = (origin: string | undefined): ApiError => {
	const whose = origin === undefined ? "of another origin" : `of the origin ${quoted(origin)}`;
	return new ApiError(
		"ERR_CROSS_ORIGIN",
		`The request comes from a web page ${whose}, and only pages that this API serves may use it from a browser.`,
	);
};
