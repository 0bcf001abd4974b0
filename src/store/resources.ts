/**
 * Edges and routes as clients write them (contract 2): one schema each, which also yields the types.
 * `hostports` are checked further by `hostport.ts`.
 */
import { z } from "zod";
import { LIMITS } from "../limits.ts";

const utf8AtMost = (bytes: number) => (text: string) => Buffer.byteLength(text) <= bytes;

export const edgeSchema = z.strictObject({
	hostports: z.array(z.string()).min(1).max(LIMITS.hostportsPerEdge),
	description: z
		.string()
		.refine(utf8AtMost(LIMITS.descriptionBytes), `at most ${LIMITS.descriptionBytes} bytes`)
		.default(""),
	metadata: z
		.string()
		.refine(utf8AtMost(LIMITS.metadataBytes), `at most ${LIMITS.metadataBytes} bytes`)
		.default(""),
});

export const backendSchema = z.strictObject({
	/** origins, `http://host[:port]` or `https://host[:port]` */
	urls: z.array(z.string()).min(1).max(LIMITS.urlsPerBackend),
	host_header: z.string().optional(),
	connect_timeout_ms: z.int().min(1).max(3_600_000).optional(),
	response_timeout_ms: z.int().min(1).max(86_400_000).optional(),
});

export const routeSchema = z.strictObject({
	match_type: z.enum(["exact_path", "path_prefix"]),
	match: z.string().startsWith("/").max(LIMITS.matchCharacters),
	backend: backendSchema,
});

export type EdgeDocument = z.infer<typeof edgeSchema>;
export type BackendDocument = z.infer<typeof backendSchema>;
export type RouteDocument = z.infer<typeof routeSchema>;
