/**
 * Which methods a request may have (contract 6). Methods are case-sensitive (RFC 9110 9.1). But many backends take
 * `post` for POST, and a rule on `req.method` does not see that, so standard methods in another case are refused.
 * All other methods pass as they came. Called by `request-head.ts`.
 */
import { asciiUpperCase } from "../../ascii.ts";
import { isFieldName } from "../../http/fields.ts";

/** RFC 9110 9.3, RFC 5789 */
const STANDARD: ReadonlySet<string> = new Set([
	"GET",
	"HEAD",
	"POST",
	"PUT",
	"DELETE",
	"CONNECT",
	"OPTIONS",
	"TRACE",
	"PATCH",
]);

/** The field `allow` of a 405. Methods that are not standard pass as well. */
export const ALLOWED_METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH";

type MethodMistake = "no token" | "case" | "connect" | "trace";

/** Hot. @returns why a method doesn't pass; undefined for one that does */
export function methodMistake(method: string, allowTrace: boolean): MethodMistake | undefined {
	// Comparing tells the common ones faster than a pattern.
	if (method === "GET" || method === "POST") return undefined;
	if (!isFieldName(method)) return "no token";
	if (!STANDARD.has(method)) return STANDARD.has(asciiUpperCase(method)) ? "case" : undefined;
	if (method === "CONNECT") return "connect";
	return method === "TRACE" && !allowTrace ? "trace" : undefined;
}
