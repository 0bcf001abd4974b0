/**
 * `?wait=fleet`, `timeout`, and the field `fleet-revision` of requests (contract 2, "Fleet"): read before anything is done, so
 * that what can't be waited for is refused and never forgotten.
 */
import { ApiError } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Handler } from "../http/router.ts";
import { onlyValue } from "../resources/pages.ts";

const DURATION = /^([0-9]{1,5})(ms|s)$/;
const REVISION = /^(?:0|[1-9][0-9]{0,14})$/;

/** A parameter such as `5s` or `500ms`. @throws ApiError 400 */
export function durationIn(query: URLSearchParams, name: string, otherwiseMs: number): number {
	const text = onlyValue(query, name);
	if (text === undefined) return otherwiseMs;
	const [, digits = "", unit] = DURATION.exec(text) ?? [];
	const ms = Number(digits) * (unit === "s" ? 1000 : 1);
	if (unit !== undefined && ms >= 1 && ms <= LIMITS.fleetWaitMs) return ms;
	throw new ApiError(
		"ERR_INVALID_QUERY",
		`The parameter ${name} must be a time such as 5s or 500ms, at most ${LIMITS.fleetWaitMs / 1000}s.`,
	);
}

/** @throws ApiError 400 */
export function revisionIn(query: URLSearchParams, name: string): number | undefined {
	const text = onlyValue(query, name);
	if (text === undefined) return undefined;
	if (REVISION.test(text)) return Number(text);
	throw new ApiError("ERR_INVALID_QUERY", `The parameter ${name} must be a revision, a number.`);
}

/**
 * How long a change wants to wait for all machines; undefined: not at all. Parameters of reads are their own affair.
 * @throws ApiError 400 wrong, or not to be had
 */
export function waitOf(
	request: ApiRequest,
	{ isLocal }: Pick<Handler, "isLocal">,
	isInFleet: boolean,
): number | undefined {
	const query = new URLSearchParams(request.query);
	const wait = onlyValue(query, "wait");
	if (wait === undefined) {
		if (!query.has("timeout")) return undefined;
		throw invalid('The parameter timeout belongs to wait: "?wait=fleet&timeout=5s".');
	}
	if (wait !== "fleet") throw invalid('The parameter wait must be "fleet".');
	if (!isInFleet)
		throw invalid(
			"This machine is in no fleet, so there is nobody to wait for: leave the parameter wait out. `fleet:` in the configuration makes it a member of one.",
		);
	if (isLocal === true)
		throw invalid("This operation changes nothing that the fleet shares: leave wait out.");
	return durationIn(query, "timeout", LIMITS.fleetRevisionWaitMs);
}

/** Revision that this machine must have before it looks at the request. @throws ApiError 400 */
export function wantedRevision(request: ApiRequest, isInFleet: boolean): number | undefined {
	const values = request.headers("fleet-revision");
	const [value] = values;
	if (value === undefined) return undefined;
	if (values.length > 1 || !REVISION.test(value))
		throw new ApiError("ERR_BAD_REQUEST", "The field fleet-revision must be one number.");
	if (!isInFleet)
		throw new ApiError(
			"ERR_BAD_REQUEST",
			"The field fleet-revision asks for a revision of a fleet, and this machine is in none: leave the field out.",
		);
	return Number(value);
}

const invalid = (message: string): ApiError => new ApiError("ERR_INVALID_QUERY", message);
