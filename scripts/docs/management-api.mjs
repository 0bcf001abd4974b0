// The table of error codes in docs/management-api.md, which is written by hand otherwise: codes and statuses are
// those of src/errors.ts, causes and remedies stand here.
import { code, table, withBlock, written } from "./lib/markdown.mjs";

export const file = "management-api.md";

/** @type {Record<string, [cause: string, remedy: string]>} */
const EXPLAINED = {
	ERR_BAD_REQUEST: [
		"the request is not framed without doubt (`content-length`, `transfer-encoding`), or `if-match` or `if-none-match` is malformed",
		"`msg` names the field",
	],
	ERR_INVALID_JSON: [
		"the body is no JSON, or has a duplicate key, `__proto__` or a number that is not finite",
		"`msg` has line and column",
	],
	ERR_INVALID_DOCUMENT: [
		"the document has problems",
		"`problems` lists each with a pointer, and mostly with what to write instead",
	],
	ERR_INVALID_ID: [
		"an id in the path is empty, too long, or has other characters",
		"1 to 128 characters of `A–Z a–z 0–9 _ - .`",
	],
	ERR_INVALID_QUERY: [
		"`limit`, `before_id` or `unattached` is out of bounds or given twice",
		"follow `next_page_uri` as it is",
	],
	ERR_UNSUPPORTED_VERSION: ["`Service-Version` is not `2`", "send `2`, or leave the field out"],
	ERR_UNAUTHORIZED: ["no `Authorization` field", "`Authorization: Bearer <key>`"],
	ERR_FORBIDDEN: [
		"the field is malformed or given twice, or the key is unknown or revoked",
		"`weir keys list`; `weir keys create`",
	],
	ERR_NOT_FOUND: ["no such path", "compare with the operations above"],
	ERR_EDGE_NOT_FOUND: ["the edge does not exist", "PUT the edge first"],
	ERR_ROUTE_NOT_FOUND: ["the route does not exist", "PUT the route first"],
	ERR_POLICY_NOT_FOUND: ["the route has no policy", "`GET /policies` lists those there are"],
	ERR_METHOD_NOT_ALLOWED: ["the path does not have this method", "`allow` lists the methods"],
	ERR_REQUEST_TIMEOUT: [
		"less than 128 KiB of the body came within 8 s; the connection is closed",
		"a better connection, or a client that sends its body at once",
	],
	ERR_HOSTPORT_CONFLICT: [
		"another edge has this hostport; `msg` names it",
		"take the hostport from the other edge first",
	],
	ERR_MATCH_CONFLICT: [
		"another route of the edge has this `match`; `msg` names it",
		"change or delete the other route",
	],
	ERR_PRECONDITION_FAILED: [
		"`if-match` or `if-none-match` does not hold: somebody else has written",
		"GET, merge, PUT again with the new etag",
	],
	ERR_BODY_TOO_LARGE: [
		"the body exceeds `limits.policy_bytes`; the connection is closed",
		"a smaller document, or a higher limit",
	],
	ERR_UNSUPPORTED_MEDIA_TYPE: [
		"`Content-Type` is not `application/json`, or the body is compressed",
		"send plain JSON and say so",
	],
	ERR_INTERNAL: [
		"a bug, or a disk that failed to write or sync",
		"the log has the cause under the `operation_id`",
	],
	ERR_UNSUPPORTED_TRANSFER_ENCODING: [
		"a `transfer-encoding` other than `chunked`",
		"`content-length`, or `chunked`",
	],
	ERR_NOT_READY: [
		"`/readyz`: a worker does not answer; PUT of a policy: too many large documents are being checked",
		"try again; the log tells of workers that ended",
	],
	ERR_STORE_LOST: [
		"the store's files were removed, replaced or cut short while weir ran",
		"[the store is lost](operations.md#the-store-is-lost)",
	],
	ERR_STORE_FULL: ["the disk, or the store's 16 GiB, is full", "make room"],
};

/** @param {import("./lib/markdown.mjs").Load} load */
export async function page(load) {
	/** @type {{ ERROR_CODES: Record<string, number> }} */
	const { ERROR_CODES } = await load("errors");
	const rows = Object.entries(ERROR_CODES).map(([name, status]) => {
		const explained = EXPLAINED[name];
		if (explained === undefined) throw new Error(`scripts/docs/management-api.mjs lacks ${name}`);
		return [code(name), String(status), ...explained];
	});
	const stale = Object.keys(EXPLAINED).find((name) => ERROR_CODES[name] === undefined);
	if (stale !== undefined) throw new Error(`scripts/docs/management-api.mjs has ${stale}`);
	const block = table(["code", "status", "cause", "remedy"], rows);
	return withBlock(written(file), "error codes", block);
}
