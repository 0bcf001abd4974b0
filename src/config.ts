/**
 * Process settings (contract 1): one schema for the config file, merged with environment and flags,
 * validated once, then frozen. Edges, routes and policies are not here; they live in the store.
 */
import { z } from "zod";
import { asciiUpperCase } from "./ascii.ts";
import { LIMITS } from "./limits/limits.ts";

const milliseconds = z.int().min(1).max(86_400_000);

export const tlsSchema = z.strictObject({
	/** PEM files; relative paths are relative to the config file */
	cert: z.string(),
	key: z.string(),
});

export const listenerSchema = z.strictObject({
	/** `host:port`, `[v6]:port`; port 0 picks a free one */
	address: z.string(),
	/** one certificate, or several told apart by SNI; the first answers unknown names */
	tls: z.union([tlsSchema, z.array(tlsSchema).min(1)]).optional(),
	/** connections begin with a PROXY protocol header, version 1 or 2, whose address is believed */
	proxy_protocol: z.boolean().default(false),
});

/** Of TLS 1.2 what has forward secrecy and authenticated encryption. All suites of TLS 1.3 have both. */
const FORWARD_SECRET_SUITES = [
	"ECDHE-ECDSA-AES128-GCM-SHA256",
	"ECDHE-RSA-AES128-GCM-SHA256",
	"ECDHE-ECDSA-AES256-GCM-SHA384",
	"ECDHE-RSA-AES256-GCM-SHA384",
	"ECDHE-ECDSA-CHACHA20-POLY1305",
	"ECDHE-RSA-CHACHA20-POLY1305",
].join(":");

export const configSchema = z.strictObject({
	listen: z
		.union([z.string(), z.array(listenerSchema).min(1)])
		.prefault([{ address: "127.0.0.1:8080" }]),
	/** of every TLS listener */
	tls: z
		.strictObject({
			min_version: z.enum(["TLSv1.2", "TLSv1.3"]).default("TLSv1.2"),
			/** OpenSSL's cipher list, for TLS 1.2; those of 1.3 can't be chosen */
			ciphers: z.string().default(FORWARD_SECRET_SUITES),
		})
		.prefault({}),
	management: z
		.strictObject({ address: z.string().default("127.0.0.1:4040") })
		.default({ address: "127.0.0.1:4040" }),
	data_dir: z.string().default("./weir-data"),
	counters: z
		.strictObject({
			file: z.string().nullable().default(null),
			keys_max: z.int().min(16).max(LIMITS.keysPerRateLimitMax).default(LIMITS.keysPerRateLimit),
		})
		.prefault({}),
	/** null: one per core */
	workers: z.int().min(1).max(256).nullable().default(null),
	trusted_proxies: z.array(z.string()).default([]),
	/** names of request header fields: dropped, passed on, or the request refused */
	underscores_in_headers: z.enum(["drop", "pass", "refuse"]).default("drop"),
	allow_trace: z.boolean().default(false),
	expression_errors: z.enum(["reject", "skip"]).default("reject"),
	expressions: z
		.strictObject({
			/** milliseconds of work that one expression may take in a thread, and threads of a worker */
			deadline_ms: z.int().min(1).max(LIMITS.heavyDeadlineMsMax).default(LIMITS.heavyDeadlineMs),
			threads: z.int().min(1).max(LIMITS.heavyThreadsMax).default(LIMITS.heavyThreads),
		})
		.prefault({}),
	geo: z.strictObject({ database: z.string().nullable().default(null) }).prefault({}),
	timeouts: z
		.strictObject({
			request_header_ms: milliseconds.default(10_000),
			idle_ms: milliseconds.default(60_000),
			upstream_connect_ms: milliseconds.default(5000),
			upstream_response_ms: milliseconds.default(60_000),
			drain_ms: milliseconds.default(30_000),
		})
		.prefault({}),
	limits: z
		.strictObject({
			request_header_bytes: z.int().min(1024).max(1_048_576).default(LIMITS.requestHeaderBytes),
			policy_bytes: z.int().min(LIMITS.policyBytes).max(67_108_864).default(LIMITS.policyBytes),
			/** per worker: of request bodies, and as much of responses that clients don't read */
			body_memory_bytes: z.int().min(1_048_576).default(LIMITS.bodyMemoryBytes),
			rules: z.int().min(LIMITS.rulesPerPhase).max(100_000).default(LIMITS.rulesPerPhase),
		})
		.prefault({}),
	/** clients that are waited for while they send or read a body (`edge/slow/slow-clients.ts`) */
	slow_clients: z
		.strictObject({
			/** how far one may lag behind the least rate */
			grace_ms: milliseconds.default(60_000),
			/** 0: as slowly as `timeouts.idle_ms` allows */
			min_upload_bytes_per_second: z.int().min(0).default(500),
			min_download_bytes_per_second: z.int().min(0).default(500),
			/** per worker, of one address, that lag behind it at the same time; 0: any number */
			per_address: z.int().min(0).default(256),
		})
		.prefault({}),
	log: z
		.strictObject({
			/** `stdout`, `stderr` or a file path */
			destination: z.string().default("stdout"),
			access: z.boolean().default(false),
			level: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
		})
		.prefault({}),
});

export type ConfigFile = z.infer<typeof configSchema>;

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
	? `${First}${Capitalize<CamelCase<Rest>>}`
	: Name;
/** A section of the file under the names that the code has for its fields: `idle_ms` is `idleMs`. */
export type CamelCased<Section> = {
	readonly [Name in keyof Section as CamelCase<Name>]: Section[Name];
};

export function camelCased<Section extends object>(section: Section): CamelCased<Section> {
	const fields = Object.entries(section).map(([name, value]) => [
		name.replace(/_([a-z])/g, (_, letter: string) => asciiUpperCase(letter)),
		value,
	]);
	return Object.fromEntries(fields) as CamelCased<Section>;
}

export type TlsFiles = Readonly<z.infer<typeof tlsSchema>>;
export type TlsSettings = CamelCased<ConfigFile["tls"]>;

/** A listener with its address parsed and its paths absolute. Its other options are those of the schema. */
export interface Listener
	extends CamelCased<Omit<z.infer<typeof listenerSchema>, "address" | "tls">> {
	readonly host: string;
	readonly port: number;
	/** empty: plain */
	readonly tls: readonly TlsFiles[];
}

/** Resolved: addresses parsed, paths absolute, `workers` counted. What processes are given. */
export interface Config {
	readonly listen: readonly Listener[];
	readonly tls: TlsSettings;
	readonly management: { readonly host: string; readonly port: number };
	readonly dataDir: string;
	readonly countersFile: string;
	readonly keysPerRateLimit: number;
	readonly workers: number;
	readonly trustedProxies: readonly string[];
	readonly underscoresInHeaders: ConfigFile["underscores_in_headers"];
	readonly allowTrace: boolean;
	readonly expressionErrors: ConfigFile["expression_errors"];
	readonly expressions: CamelCased<ConfigFile["expressions"]>;
	readonly geoDatabase: string | null;
	readonly timeouts: CamelCased<ConfigFile["timeouts"]>;
	readonly limits: CamelCased<ConfigFile["limits"]>;
	readonly slowClients: CamelCased<ConfigFile["slow_clients"]>;
	readonly log: CamelCased<ConfigFile["log"]>;
}
