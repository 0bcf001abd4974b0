/**
 * Process settings (contract 1): one schema for the config file, merged with environment and flags,
 * validated once, then frozen. Edges, routes and policies are not here; they live in the store. Every field has
 * a description; `docs/configuration.md` is made from this schema.
 */
import { z } from "zod";
import * as sections from "./config-sections.ts";

export const configSchema = z.strictObject({
	listen: z
		.union([z.string(), z.array(sections.listener).min(1)])
		.default([{ address: "127.0.0.1:8080", proxy_protocol: false }])
		.describe("Where the data path listens: one address, or a list of listeners."),
	tls: sections.tls.prefault({}).describe("Of every TLS listener."),
	management: z
		.strictObject({
			address: z
				.string()
				.default("127.0.0.1:4040")
				.describe("`host:port` of the management API; plain HTTP, so keep it on loopback."),
		})
		.default({ address: "127.0.0.1:4040" }),
	data_dir: z
		.string()
		.default("./weir-data")
		.describe("Folder of the store, the counters and the control socket. One server a folder."),
	counters: sections.counters.prefault({}),
	workers: z
		.int()
		.min(1)
		.max(256)
		.nullable()
		.default(null)
		.describe("Worker processes. null: one per core."),
	trusted_proxies: z
		.array(z.string())
		.default([])
		.describe("Addresses and networks whose `x-forwarded-for` is believed."),
	underscores_in_headers: z
		.enum(["drop", "pass", "refuse"])
		.default("drop")
		.describe(
			"Request fields with `_`, `.` or another character that some backends read as `-`: `drop` hides them from rules and backend, `pass` lets them through (never those that read as weir's own fields, such as `x_forwarded_for`), `refuse` answers 400.",
		),
	allow_trace: z.boolean().default(false).describe("Whether TRACE is proxied; else it is 405."),
	expression_errors: z
		.enum(["reject", "skip"])
		.default("reject")
		.describe(
			"An expression that fails on a request: answer 500, or go on as if the rule did not apply. What overruns its bounds answers 500 in any case.",
		),
	expressions: sections.expressions.prefault({}),
	geo: z
		.strictObject({
			database: z
				.string()
				.nullable()
				.default(null)
				.describe("An MMDB file for `conn.geo`. null: the bundled country database."),
		})
		.prefault({}),
	timeouts: sections.timeouts.prefault({}),
	limits: sections.limits.prefault({}),
	slow_clients: sections.slowClients.prefault({}),
	log: sections.log.prefault({}),
});

/** Settings that a flag and an environment variable set as well; flags are the strongest, the file the weakest. */
export const OVERRIDES = [
	{ setting: "listen", flag: "listen", variable: "WEIR_LISTEN" },
	{ setting: "management.address", flag: "management", variable: "WEIR_MANAGEMENT" },
	{ setting: "data_dir", flag: "data-dir", variable: "WEIR_DATA_DIR" },
	{ setting: "workers", flag: "workers", variable: "WEIR_WORKERS" },
] as const;

export type ConfigFile = z.infer<typeof configSchema>;

export interface TlsFiles {
	readonly cert: string;
	readonly key: string;
}

export interface TlsSettings {
	readonly minVersion: "TLSv1.2" | "TLSv1.3";
	/** for TLS 1.2 */
	readonly ciphers: string;
}

export interface Listener {
	readonly host: string;
	readonly port: number;
	/** empty: plain */
	readonly tls: readonly TlsFiles[];
	readonly proxyProtocol: boolean;
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
	readonly underscoresInHeaders: "drop" | "pass" | "refuse";
	readonly allowTrace: boolean;
	readonly expressionErrors: "reject" | "skip";
	readonly expressions: { readonly deadlineMs: number; readonly threads: number };
	readonly geoDatabase: string | null;
	readonly timeouts: {
		readonly requestHeaderMs: number;
		readonly idleMs: number;
		readonly upstreamConnectMs: number;
		readonly upstreamResponseMs: number;
		readonly drainMs: number;
	};
	readonly limits: {
		readonly requestHeaderBytes: number;
		readonly policyBytes: number;
		readonly rules: number;
		readonly bodyMemoryBytes: number;
	};
	readonly slowClients: {
		readonly graceMs: number;
		/** 0: no least rate */
		readonly minUploadBytesPerSecond: number;
		readonly minDownloadBytesPerSecond: number;
		/** 0: any number */
		readonly perAddress: number;
	};
	readonly log: {
		readonly destination: string;
		readonly access: boolean;
		readonly level: string;
	};
}

/** What a reload can't change, and its name in the config file. */
export const KEPT_SETTINGS = [
	["dataDir", "data_dir"],
	["management", "management"],
	["countersFile", "counters.file"],
] as const satisfies readonly (readonly [keyof Config, string])[];
