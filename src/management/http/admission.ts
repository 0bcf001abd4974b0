/**
 * The checks of a request before its body is read (contract 2), in this order: framing, authorisation, service
 * version, path and method, media type. All are synchronous, because the library's objects live no longer. Used by
 * `server.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { ApiError } from "../../errors.ts";
import { CHUNKED, checkFraming } from "../../http/framing.ts";
import { HEALTH_PATH } from "../operations.ts";
import type { Authenticator } from "./auth.ts";
import { tooLarge } from "./body.ts";
import { mediaTypeMistake } from "./media-types.ts";
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

/** @throws ApiError the first thing that is wrong */
export function admit(
	request: ApiRequest,
	bodyLength: number,
	authenticator: Authenticator,
	router: Router,
	limit: number,
): { readonly handler: Handler; readonly ids: Ids } {
	const isRead = request.method === "GET" || request.method === "HEAD";
	if (!(isRead && request.path === HEALTH_PATH)) {
		authenticator.check(request);
		checkVersion(request);
	}
	const found = router.find(request.method, request.path);
	if (found.handler.takesBody) {
		checkMediaType(request, found.handler.takesYaml === true);
		if (bodyLength !== CHUNKED && bodyLength > limit) throw tooLarge(limit);
	}
	return found;
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
