/**
 * Lists (contract 2): `limit` 1–100, `before_id`; newest, that is highest, ids first. `next_page_uri` is
 * a path with query on this server, or null on the last page.
 */
import { ApiError } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { ID_PATTERN as ID } from "../../store/ids.ts";
import type { Page } from "../../store/store.ts";
import type { ApiRequest } from "../http/request.ts";

export interface PageRequest {
	readonly limit: number;
	readonly beforeId: string | undefined;
}

/** What a list is in the order of: an id, edge and route as `EDGE/ROUTE`, or a number. */
export type PageKey = "id" | "edge_and_id" | "number";

const KEYS: Readonly<Record<PageKey, { readonly pattern: RegExp; readonly name: string }>> = {
	id: { pattern: new RegExp(`^${ID}$`), name: "an id" },
	edge_and_id: { pattern: new RegExp(`^${ID}/${ID}$`), name: '"EDGE_ID/ID", as in next_page_uri' },
	number: { pattern: /^[1-9][0-9]{0,11}$/, name: "a number from 1" },
};

/** Parameters that it does not know are ignored. @throws ApiError 400 */
export function pageRequestOf(request: ApiRequest, key: PageKey = "id"): PageRequest {
	const query = new URLSearchParams(request.query);
	const limit = numberIn(query, "limit", 1, LIMITS.pageSize, LIMITS.pageSize);
	const beforeId = onlyValue(query, "before_id");
	if (beforeId !== undefined && !KEYS[key].pattern.test(beforeId)) {
		const message = `The parameter before_id must be ${KEYS[key].name}.`;
		throw new ApiError("ERR_INVALID_QUERY", message);
	}
	return { limit, beforeId };
}

/** A parameter that is `true` or `false`; absent is false. @throws ApiError 400 */
export function flagOf(request: ApiRequest, name: string): boolean {
	const text = onlyValue(new URLSearchParams(request.query), name) ?? "false";
	if (text === "true" || text === "false") return text === "true";
	throw new ApiError("ERR_INVALID_QUERY", `The parameter ${name} must be true or false.`);
}

/** @throws ApiError 400 */
export function numberIn(
	query: URLSearchParams,
	name: string,
	least: number,
	most: number,
	otherwise: number,
): number {
	const text = onlyValue(query, name);
	if (text === undefined) return otherwise;
	const value = Number(text);
	if (/^[0-9]{1,7}$/.test(text) && value >= least && value <= most) return value;
	throw new ApiError(
		"ERR_INVALID_QUERY",
		`The parameter ${name} must be a number from ${least} to ${most}.`,
	);
}

/** @throws ApiError 400 */
export function onlyValue(query: URLSearchParams, name: string): string | undefined {
	const values = query.getAll(name);
	if (values.length <= 1) return values[0];
	throw new ApiError("ERR_INVALID_QUERY", `The parameter ${name} may be given once only.`);
}

/** @param path of the list itself @param more parameters, as `&name=value` */
export function nextPageUri(
	path: string,
	{ limit }: PageRequest,
	{ next }: Page<unknown>,
	more = "",
): string | null {
	return next === null ? null : `${path}?limit=${limit}&before_id=${next}${more}`;
}
