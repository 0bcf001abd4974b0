/**
 * The checks of a request before its body is read (contract 2), in this order: framing, host, origin,
 * authentication, service version, path and method, the key's role, media type. All are synchronous, because the
 * library's objects live no longer. Used by `server.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { ApiError } from "../../errors.ts";
import { CHUNKED, checkFraming } from "../../http/framing.ts";
import { type KeyRole, roleSuffices } from "../../store/key-roles.ts";
import type { Authenticator } from "./auth.ts";
import { tooLarge } from "./body.ts";
import type { KnownHosts } from "./known-hosts.ts";
import { mediaTypeMistake } from "./media-types.ts";
import { checkOrigin, type Scheme } from "./origin.ts";
import { isPublicPath } from "./public-paths.ts";
import type { ApiRequest } from "./request.ts";
import type { Handler, Ids, Router } from "./router.ts";

const VERSIONS: readonly string[] = ["2"];

/** @returns bytes, or CHUNKED. @throws FramingError; then nobody knows where the next request begins */
export function bodyLengthOf(request: ApiRequest): number {
	const framing = checkFraming(request.fields);
	if (typeof framing === "number") return framing;
	const isCoding = framing.status === 501;
	const code = isCoding ? "ERR_UNSUPPORTED_TRANSFER_ENCODING" : "ERR_BAD_REQUEST";
	throw new FramingError(code, `The request is refused: ${framing.message}.`);
}

export class FramingError extends ApiError {}

/** What decides on requests. */
export interface Gate {
	readonly hosts: KnownHosts;
	/** of the listener that the request came through */
	readonly scheme: Scheme;
	readonly authenticator: Authenticator;
	readonly router: Router;
	/** bytes that a body may have */
	readonly bodyBytes: number;
}

/** @throws ApiError the first thing that is wrong */
export function admit(
	request: ApiRequest,
	bodyLength: number,
	{ hosts, scheme, authenticator, router, bodyBytes }: Gate,
): { readonly handler: Handler; readonly ids: Ids } {
	checkOrigin(request, scheme, hosts.check(request), hosts);
	const isRead = request.method === "GET" || request.method === "HEAD";
	if (!(isRead && isPublicPath(request.path))) {
		request.identity = authenticator.check(request);
		checkVersion(request);
	}
	const found = router.find(request.method, request.path);
	checkRole(request, found.handler.role);
	if (found.handler.takesBody) {
		checkMediaType(request, found.handler.takesYaml === true);
		const most = bodyBoundOf(found.handler, bodyBytes);
		if (bodyLength !== CHUNKED && bodyLength > most) throw tooLarge(most);
	}
	return found;
}

/** @param bodyBytes what the configuration says of bodies */
export const bodyBoundOf = ({ bodyBytes: own = 0 }: Handler, bodyBytes: number): number =>
	Math.max(own, bodyBytes);

function checkRole({ identity }: ApiRequest, needed: KeyRole | null): void {
	if (needed === null) return;
	if (identity !== undefined && roleSuffices(identity.role, needed)) return;
	throw new ApiError(
		"ERR_ROLE_REQUIRED",
		`This operation needs a key with the role ${needed}; the key ${identity?.id} has the role ${identity?.role}.`,
	);
}

function checkVersion(request: ApiRequest): void {
	if (request.headers("service-version").every((version) => VERSIONS.includes(version))) return;
	throw new ApiError(
		"ERR_UNSUPPORTED_VERSION",
		`The service version is not supported; supported: ${VERSIONS.join(", ")}.`,
	);
}

function checkMediaType(request: ApiRequest, takesYaml: boolean): void {
	const encodings = request.headers("content-encoding");
	const mistake = mediaTypeMistake(request, takesYaml);
	if (mistake !== undefined) throw new ApiError("ERR_UNSUPPORTED_MEDIA_TYPE", mistake);
	if (encodings.some((encoding) => asciiLowerCase(encoding) !== "identity")) {
		throw new ApiError("ERR_UNSUPPORTED_MEDIA_TYPE", "The body must not be compressed.");
	}
}
