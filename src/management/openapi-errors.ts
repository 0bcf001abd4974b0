/**
 * The refusals of each operation in the published description (`openapi-operations.ts` and `openapi.ts`): one response
 * for each status, with the codes that it may carry. Their texts are those of the table of error codes.
 */
import type { ErrorCode } from "../error-code-origins.ts";
import { ERROR_CODES } from "../error-codes.ts";
import { KEY_ROLES, type KeyRole } from "../store/key-roles.ts";
import type { Json } from "./document-schemas.ts";
import { JSON_TYPE } from "./http/reply.ts";

const PREFIX = "#/components/responses/";

/** Of any request, before anybody asks what it is for. */
export const OF_ANY: readonly ErrorCode[] = [
	"ERR_BAD_REQUEST",
	"ERR_CROSS_ORIGIN",
	"ERR_REQUEST_TIMEOUT",
	"ERR_URI_TOO_LONG",
	"ERR_EXPECTATION_FAILED",
	"ERR_UNKNOWN_HOST",
	"ERR_HEADER_TOO_LARGE",
	"ERR_INTERNAL",
	"ERR_UNSUPPORTED_TRANSFER_ENCODING",
	"ERR_VERSION_NOT_SUPPORTED",
];

const OF_A_KEY: readonly ErrorCode[] = [
	"ERR_UNSUPPORTED_VERSION",
	"ERR_UNAUTHORIZED",
	"ERR_FORBIDDEN",
	"ERR_KEY_EXPIRED",
	"ERR_STORE_LOST",
	"ERR_FLEET_UNAVAILABLE",
];

export const OF_A_BODY: readonly ErrorCode[] = [
	"ERR_INVALID_JSON",
	"ERR_INVALID_DOCUMENT",
	"ERR_BODY_TOO_LARGE",
	"ERR_UNSUPPORTED_MEDIA_TYPE",
];

export const OF_A_CHANGE: readonly ErrorCode[] = [
	"ERR_INVALID_QUERY",
	"ERR_FLEET_READ_ONLY",
	"ERR_FLEET_LEVEL",
	"ERR_PRECONDITION_FAILED",
	"ERR_FLEET_UNCERTAIN",
	"ERR_STORE_FULL",
];

/** Those of parameters that are ids, keys or in the query. */
function ofParameters(parameters: readonly Json[]): readonly ErrorCode[] {
	const places = parameters.map(({ in: place, name }) => (name === "key" ? "key" : place));
	return [
		...(places.includes("path") ? (["ERR_INVALID_ID"] as const) : []),
		...(places.includes("key") ? (["ERR_INVALID_KEY"] as const) : []),
		...(places.includes("query") ? (["ERR_INVALID_QUERY"] as const) : []),
	];
}

/**
 * The refusals of one operation, by status.
 * @param parameters those of its path and its own
 * @param more codes that only it, or few like it, answer with
 */
export function refusals(
	role: KeyRole | null,
	parameters: readonly Json[],
	more: readonly ErrorCode[],
): Json {
	const ofKey = role === null ? [] : OF_A_KEY;
	// every key may do what the least role may
	const ofRole = role === null || role === KEY_ROLES.at(-1) ? [] : ["ERR_ROLE_REQUIRED" as const];
	const all = new Set([...OF_ANY, ...ofKey, ...ofRole, ...ofParameters(parameters), ...more]);
	const inOrder = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => all.has(code));
	const byStatus = new Map<number, ErrorCode[]>();
	for (const code of inOrder) {
		const { status } = ERROR_CODES[code];
		byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
	}
	return Object.fromEntries(
		[...byStatus].map(([status, codes]) => [status, { $ref: PREFIX + codes.join(".") }]),
	);
}

/** The codes that a reference of `refusals` stands for. */
const codesIn = (reference: string): readonly ErrorCode[] =>
	reference.slice(PREFIX.length).split(".") as ErrorCode[];

const CHALLENGE: Json = {
	"www-authenticate": { required: true, schema: { const: "Bearer" } },
};

function refusal(codes: readonly ErrorCode[], headers: Json): Json {
	const lines = codes.map((code) => {
		const { cause, remedy } = ERROR_CODES[code];
		return `- \`${code}\`: ${cause} ${remedy}`;
	});
	const isChallenge = codes.some((code) => ERROR_CODES[code].status === 401);
	const own = { properties: { error_code: { enum: codes } } };
	return {
		description: lines.join("\n"),
		headers: isChallenge ? { ...headers, ...CHALLENGE } : headers,
		content: {
			[JSON_TYPE]: { schema: { allOf: [{ $ref: "#/components/schemas/Error" }, own] } },
		},
	};
}

/** Everything that the paths refer to. @param headers of every answer */
export function referredRefusals(paths: Json, headers: Json): Json {
	const text = JSON.stringify(paths);
	const references = new Set(text.match(/#\/components\/responses\/[A-Z_.0-9]+/g));
	return Object.fromEntries(
		[...references].map((reference) => [
			reference.slice(PREFIX.length),
			refusal(codesIn(reference), headers),
		]),
	);
}
