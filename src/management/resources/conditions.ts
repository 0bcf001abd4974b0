/**
 * Conditional requests (contract 2, `etag`): `if-match` and `if-none-match` as sent become a
 * `Precondition` that the store decides on; a GET whose etag the client knows already is 304.
 */
import { ApiError } from "../../errors.ts";
import { etagOfJson } from "../../store/layout.ts";
import { matchesWeakly, parseEtags } from "../../store/precondition.ts";
import type { Precondition } from "../../store/store.ts";
import { json, type Reply } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";

/** @throws ApiError 400 malformed */
export function preconditionOf(request: ApiRequest): Precondition {
	const ifMatch = etagsIn(request, "if-match");
	const ifNoneMatch = etagsIn(request, "if-none-match");
	return {
		...(ifMatch === undefined ? {} : { ifMatch }),
		...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
	};
}

/** Several lines of one field are one list (RFC 9110 5.3). */
function etagsIn(
	request: ApiRequest,
	name: "if-match" | "if-none-match",
): readonly string[] | "*" | undefined {
	const values = request.headers(name);
	if (values.length === 0) return undefined;
	const etags = parseEtags(values.join(","));
	if (etags !== undefined) return etags;
	throw new ApiError(
		"ERR_BAD_REQUEST",
		`The field ${name} must be * or a list of etags in double quotes.`,
	);
}

/** 200 with the document, or 304 if the client has it. @throws ApiError 400, 412 */
export const conditionalReply = (request: ApiRequest, value: unknown, etag: string): Reply =>
	hasIt(request, etag) ? notModified(etag) : json(200, value, { etag });

/** As `conditionalReply`, of a page of a list: its etag depends on what is answered. @throws ApiError 400, 412 */
export function listReply(request: ApiRequest, page: object): Reply {
	const body = JSON.stringify(page);
	const etag = etagOfJson(body);
	return hasIt(request, etag) ? notModified(etag) : { status: 200, headers: { etag }, body };
}

const notModified = (etag: string): Reply => ({ status: 304, headers: { etag }, body: undefined });

function hasIt(request: ApiRequest, etag: string): boolean {
	const { ifMatch, ifNoneMatch } = preconditionOf(request);
	if (ifMatch !== undefined && ifMatch !== "*" && !ifMatch.includes(etag))
		throw preconditionFailed();
	return ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag);
}

export const preconditionFailed = (): ApiError =>
	new ApiError("ERR_PRECONDITION_FAILED", "The stored document is not the one that was asked for.");
