/**
 * Mistakes in requests of the management API: ids, header fields, documents of edges and routes. Each has the status,
 * the error code, or none where the mistake is only warned of, and the part of the sentence that tells what to do. A
 * row is all there is to a new one; played by `../first-hour.test.ts` on a server with the edge `site` for
 * `site.example`, its route `all`, and no edge `e`.
 */

export interface RequestMistake {
	readonly mistake: string;
	/** method and path */
	readonly request: readonly [method: string, path: string];
	/** a string as it is, anything else as JSON */
	readonly body?: unknown;
	/** instead of, or besides, key and content-type */
	readonly headers?: Readonly<Record<string, string>>;
	readonly status: number;
	readonly code?: string;
	/** in the answer's sentence or problems, or in its warnings */
	readonly says: readonly (string | RegExp)[];
}

const EDGE = "/edges/https/e";
const ROUTE = "/edges/https/site/routes/r";
const putEdge = (hostports: unknown) => ({
	request: ["PUT", EDGE] as const,
	body: { hostports },
});
const putRoute = (document: object) => ({
	request: ["PUT", ROUTE] as const,
	body: {
		match_type: "path_prefix",
		match: "/r",
		backend: { urls: ["http://127.0.0.1:9"] },
		...document,
	},
});
const invalid = { status: 400, code: "ERR_INVALID_DOCUMENT" };

export const REQUEST_MISTAKES: readonly RequestMistake[] = [
	{
		mistake: "an empty key",
		request: ["GET", "/edges/https"],
		headers: { authorization: "" },
		status: 403,
		code: "ERR_FORBIDDEN",
		says: ["Bearer <key>"],
	},
	{
		mistake: "the key as a password",
		request: ["GET", "/edges/https"],
		headers: { authorization: "Basic d2VpcjprZXk=" },
		status: 403,
		code: "ERR_FORBIDDEN",
		says: ["must be Bearer <key>"],
	},
	{
		mistake: "a name for the API that it does not know",
		request: ["GET", "/edges/https"],
		headers: { host: "gateway.internal:4040" },
		status: 421,
		code: "ERR_UNKNOWN_HOST",
		says: ["management.hosts"],
	},
	{
		mistake: "curl -d without a content-type",
		request: ["PUT", EDGE],
		body: '{"hostports":["*"]}',
		headers: { "content-type": "application/x-www-form-urlencoded" },
		status: 415,
		code: "ERR_UNSUPPORTED_MEDIA_TYPE",
		says: ["content-type must be application/json"],
	},
	{
		mistake: "POST",
		request: ["POST", EDGE],
		body: { hostports: ["*"] },
		status: 405,
		code: "ERR_METHOD_NOT_ALLOWED",
		says: ["PUT"],
	},
	{
		mistake: "a path of another version",
		request: ["GET", "/v1/edges"],
		status: 404,
		code: "ERR_NOT_FOUND",
		says: ["nothing at this path"],
	},
	{
		mistake: "an id with a space",
		request: ["PUT", "/edges/https/my%20edge"],
		body: { hostports: ["*"] },
		status: 400,
		code: "ERR_INVALID_ID",
		says: ['A-Z, a-z, 0-9, "_", "-" and "."'],
	},
	{
		mistake: "single quotes in JSON",
		request: ["PUT", EDGE],
		body: "{'hostports': ['*']}",
		status: 400,
		code: "ERR_INVALID_JSON",
		says: ["line 1, column 2"],
	},
	{
		mistake: "a field of another product",
		request: ["PUT", EDGE],
		body: { hosts: ["*"] },
		...invalid,
		says: ["/hosts", "hostports"],
	},
	{
		mistake: "a URL as hostport",
		...putEdge(["https://a.example"]),
		...invalid,
		says: ["/hostports/0: write a host and maybe a port, without scheme or path"],
	},
	{
		mistake: "one hostport without a list",
		...putEdge("a.example"),
		...invalid,
		says: ['/hostports: expected a list, got the string "a.example"'],
	},
	{
		mistake: "a hostport of another edge",
		...putEdge(["SITE.example"]),
		status: 409,
		code: "ERR_HOSTPORT_CONFLICT",
		says: ['"site.example" belongs to the edge "site"'],
	},
	{
		mistake: "a route before its edge",
		request: ["PUT", "/edges/https/e/routes/r"],
		body: putRoute({}).body,
		status: 404,
		code: "ERR_EDGE_NOT_FOUND",
		says: ["no such edge"],
	},
	{
		mistake: "a match without its slash",
		...putRoute({ match: "api" }),
		...invalid,
		says: ["/match", '"/"'],
	},
	{
		mistake: "a backend without scheme",
		...putRoute({ backend: { urls: ["127.0.0.1:9000"] } }),
		...invalid,
		says: ["/backend/urls/0", 'must start with "http://" or "https://"'],
	},
	{
		mistake: "a backend with a path",
		...putRoute({ backend: { urls: ["http://127.0.0.1:9000/api"] } }),
		...invalid,
		says: ["a path or query is not allowed"],
	},
	{
		mistake: "a backend's only URL",
		...putRoute({ backend: { url: "http://127.0.0.1:9000" } }),
		...invalid,
		says: ["/backend/url", '"urls"'],
	},
	{
		mistake: "a route's match of another route",
		...putRoute({ match: "/" }),
		status: 409,
		code: "ERR_MATCH_CONFLICT",
		says: ['"all"'],
	},
	{
		mistake: "a wildcard in a match",
		...putRoute({ match: "/api/*" }),
		status: 201,
		says: ["*"],
	},
	{
		mistake: "a prefix that takes more than it seems",
		...putRoute({ match: "/api" }),
		status: 200,
		says: ["/api/"],
	},
	{
		mistake: "a policy for a route that is not there",
		request: ["PUT", "/edges/https/site/routes/none/policy"],
		body: {},
		status: 200,
		says: ['edge "site" has no route "none"'],
	},
	{
		mistake: "a change of what somebody else has changed",
		request: ["PUT", "/edges/https/site"],
		body: { hostports: ["site.example"] },
		headers: { "if-match": '"stale"' },
		status: 412,
		code: "ERR_PRECONDITION_FAILED",
		says: ["not the one that was asked for"],
	},
	{
		mistake: "deleting twice",
		request: ["DELETE", EDGE],
		status: 404,
		code: "ERR_EDGE_NOT_FOUND",
		says: ["no such edge"],
	},
];
