/**
 * Edges and routes as clients write them (contract 2): one schema each, which also yields the types.
 * What needs more than a type is said in words a client can act on: hostports, origins, matches that no
 * request could ever meet.
 */
import { z } from "zod";
import { normalizePath } from "../http/path.ts";
import { parseAuthority } from "../http/target.ts";
import { LIMITS } from "../limits/limits.ts";
import { backendTlsSchema, uselessTls } from "./backend-tls.ts";
import { canonicalHostport, hostportMistake, parseHostport } from "./hostport.ts";

const utf8AtMost = (bytes: number) => (text: string) => Buffer.byteLength(text) <= bytes;

/** A check of several values runs also where one of them is wrong already: all problems are told at once. */
const evenBeside = (hasShape: (value: unknown) => boolean) => ({
	when: ({ value }: { readonly value: unknown }) => hasShape(value),
});

const hostport = z
	.string()
	.refine((text) => parseHostport(text) !== undefined, {
		error: ({ input }) => hostportMistake(String(input)),
		params: { code: "invalid_hostport" },
	})
	.describe('"example.com", "*.example.com" or "*", each maybe with ":port"; without, every port.');

const hostports = z
	.array(hostport)
	.min(1)
	.max(LIMITS.hostportsPerEdge)
	.describe("Hosts whose requests the edge takes; each belongs to one edge.")
	.superRefine((texts, context) => {
		const seen = new Set<string>();
		for (const [index, text] of texts.entries()) {
			const parsed = typeof text === "string" ? parseHostport(text) : undefined;
			if (parsed === undefined) continue;
			const canonical = canonicalHostport(parsed);
			if (seen.has(canonical)) {
				const message = `the same hostport as another in this list: ${canonical}`;
				context.addIssue({
					code: "custom",
					path: [index],
					message,
					params: { code: "duplicate_hostport" },
				});
			}
			seen.add(canonical);
		}
	}, evenBeside(Array.isArray));

export const edgeSchema = z.strictObject({
	hostports,
	description: z
		.string()
		.refine(utf8AtMost(LIMITS.descriptionBytes), {
			error: `must have at most ${LIMITS.descriptionBytes} bytes of UTF-8`,
			params: { code: "too_big" },
		})
		.meta({ maxLength: LIMITS.descriptionBytes })
		.default("")
		.describe(`For people; at most ${LIMITS.descriptionBytes} bytes.`),
	metadata: z
		.string()
		.refine(utf8AtMost(LIMITS.metadataBytes), {
			error: `must have at most ${LIMITS.metadataBytes} bytes of UTF-8`,
			params: { code: "too_big" },
		})
		.meta({ maxLength: LIMITS.metadataBytes })
		.default("")
		.describe(`A text of yours, at most ${LIMITS.metadataBytes} bytes.`),
});

/** Undefined if `text` is an origin: scheme, host and maybe a port, nothing else. */
function originMistake(text: string): string | undefined {
	const match = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(text);
	if (match === null) return 'must start with "http://" or "https://"';
	const [, , authority = "", rest = ""] = match;
	if (authority.includes("@")) return "must not hold a user name or password";
	if (rest !== "" && rest !== "/")
		return "must end after host and port; a path or query is not allowed";
	const parsed = parseAuthority(authority);
	if (parsed === undefined || parsed.port === 0 || !URL.canParse(text)) {
		return `"${authority}" is no host with maybe a port from 1 to 65535`;
	}
	return undefined;
}

const backendFields = z.strictObject({
	urls: z
		.array(
			z
				.string()
				.refine((text) => originMistake(text) === undefined, {
					error: ({ input }) => originMistake(String(input)) ?? "",
					params: { code: "invalid_origin" },
				})
				.describe('origin: "http://host[:port]" or "https://host[:port]"'),
		)
		.min(1)
		.max(LIMITS.urlsPerBackend)
		.describe("The backend's servers, taken in turn; one that refuses is set aside for a while."),
	host_header: z
		.string()
		.refine((text) => parseAuthority(text) !== undefined, {
			error: "is no host with maybe a port",
			params: { code: "invalid_host" },
		})
		.describe("`host` as the backend gets it, instead of the client's.")
		.optional(),
	connect_timeout_ms: z
		.int()
		.min(1)
		.max(LIMITS.upstreamConnectMsMax)
		.describe("Instead of the configuration's `timeouts.upstream_connect_ms`.")
		.optional(),
	response_timeout_ms: z
		.int()
		.min(1)
		.max(LIMITS.settingMsMax)
		.describe(
			"Instead of the configuration's `timeouts.upstream_response_ms`: from the request sent to the response header.",
		)
		.optional(),
	tunnel_idle_timeout_ms: z
		.int()
		.min(1)
		.max(LIMITS.settingMsMax)
		.describe(
			"Instead of the configuration's `timeouts.tunnel_idle_ms`: how long a WebSocket or another tunnel may be silent.",
		)
		.optional(),
	max_connections: z
		.int()
		.min(1)
		.max(LIMITS.upstreamConnectionsMax)
		.describe(
			`Connections to each address, per worker; without it as many as descriptors and ports allow, at most ${LIMITS.upstreamConnections} (${LIMITS.pipelinedConnections} with pipelining). Requests beyond it wait.`,
		)
		.optional(),
	max_tunnels: z
		.int()
		.min(1)
		.max(LIMITS.tunnelsMax)
		.describe(
			"Tunnels (WebSockets, other upgrades) of this route, per worker; a further one answers 503. Without it as many as descriptors allow. They don't count as connections.",
		)
		.optional(),
	pipelining: z
		.int()
		.min(1)
		.max(LIMITS.upstreamPipeliningMax)
		.describe(
			"Requests in flight on one connection: GET and other idempotent ones without a body. 1, the default, is off.",
		)
		.optional(),
	tls: backendTlsSchema.describe("How weir speaks TLS to `https://` urls.").optional(),
});

export const backendSchema = backendFields
	.superRefine(({ urls, tls }, context) => {
		const message = tls === undefined ? undefined : uselessTls(urls);
		if (message === undefined) return;
		context.addIssue({ code: "custom", path: ["tls"], message, params: { code: "useless_tls" } });
	})
	.describe("Where the route's requests go.");

/**
 * Undefined if some request can match. Requests are matched by their normal path (contract 6), so other
 * spellings would lie dead. A prefix may end inside a segment, hence the letter put behind it.
 */
function matchMistake(type: string, match: string): string | undefined {
	if (/[?#]/.test(match)) return "is compared with the path alone; leave the query out";
	const tail = type === "exact_path" ? "" : "x";
	if (normalizePath(match + tail) === match + tail) return undefined;
	const normal = normalizePath(match);
	return normal === undefined
		? "no request has such a path: broken percent-encoding, a backslash, an encoded slash at its beginning or an ambiguous dot segment"
		: `no request has such a path; in normal form it is "${normal}"`;
}

const hasMatch = (value: unknown): boolean =>
	typeof value === "object" &&
	value !== null &&
	"match" in value &&
	typeof value.match === "string";

export const routeSchema = z
	.strictObject({
		match_type: z
			.enum(["exact_path", "path_prefix"])
			.describe("exact_path: this path alone; path_prefix: every path that begins so."),
		match: z
			.string()
			.startsWith("/")
			.max(LIMITS.matchCharacters)
			.describe("Compared with the normalised path; a prefix is a plain string prefix."),
		backend: backendSchema,
	})
	.superRefine(({ match_type, match }, context) => {
		const message = match.startsWith("/") ? matchMistake(match_type, match) : undefined;
		if (message === undefined) return;
		context.addIssue({
			code: "custom",
			path: ["match"],
			message,
			params: { code: "invalid_match" },
		});
	}, evenBeside(hasMatch));

export type EdgeDocument = z.infer<typeof edgeSchema>;
export type BackendDocument = z.infer<typeof backendSchema>;
export type RouteDocument = z.infer<typeof routeSchema>;

export interface NamedRoute {
	readonly edgeId: string;
	readonly routeId: string;
	readonly document: RouteDocument;
}
