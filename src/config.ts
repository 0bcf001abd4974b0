/**
 * Process settings (contract 1): one schema for the config file, merged with environment and flags,
 * validated once, then frozen. Edges, routes and policies are not here; they live in the store. Every field has
 * a description; `docs/configuration.md` is made from this schema.
 */
import { z } from "zod";
import { asciiUpperCase } from "./ascii.ts";
import { fleet } from "./config-fleet.ts";
import * as observing from "./config-observing.ts";
import * as sections from "./config-sections.ts";
import { LIMITS } from "./limits/limits.ts";

export const configSchema = z.strictObject({
	listen: z
		.union([z.string(), z.array(sections.listenerSchema).min(1)])
		.prefault([{ address: "127.0.0.1:8080" }])
		.describe("Where the data path listens: one address, or a list of listeners."),
	tls: sections.tls.prefault({}).describe("Of every TLS listener."),
	management: z
		.union([z.string(), sections.management])
		.prefault({ address: "127.0.0.1:4040" })
		.describe("The management API: its address, or an object with it."),
	data_dir: z
		.string()
		.min(1)
		.default("./weir-data")
		.describe("Folder of the store, the counters and the control socket. One server a folder."),
	counters: sections.counters.prefault({}).describe("What rate-limits count in, over all workers."),
	workers: z
		.int()
		.min(1)
		.max(LIMITS.workersMax)
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
	front: z
		.enum(["on", "off"])
		.default("on")
		.describe(
			"Whether weir reads clients and writes to them itself, rather than the server library. `off` is for emergencies: contract 6 says what does not hold then.",
		),
	standing_refusals: z
		.boolean()
		.default(true)
		.describe(
			"Whether the front itself refuses what a policy's first rules refuse by texts and addresses alone; `false` is for emergencies.",
		),
	allow_trace: z.boolean().default(false).describe("Whether TRACE is proxied; else it is 405."),
	expression_errors: z
		.enum(["reject", "skip"])
		.default("reject")
		.describe(
			"An expression that fails on a request: answer 500, or go on as if the rule did not apply. What overruns its bounds answers 500 in any case.",
		),
	rate_limits: sections.rateLimits.prefault({}).describe("How rate-limits tell clients apart."),
	expressions: sections.expressions
		.prefault({})
		.describe("Threads for expressions that could take long."),
	geo: z
		.strictObject({
			database: z
				.string()
				.nullable()
				.default(null)
				.describe("An MMDB file for `conn.geo`. null: the bundled country database."),
		})
		.prefault({})
		.describe("Where clients are."),
	timeouts: sections.timeouts.prefault({}).describe("How long weir waits for whom."),
	limits: sections.limits.prefault({}).describe("How much of something there may be."),
	slow_clients: sections.slowClients
		.prefault({})
		.describe("Clients that send or read a body too slowly are cut off."),
	log: observing.log.prefault({}).describe("What is logged, and where to."),
	metrics: sections.metrics.prefault({}).describe("What the metrics tell apart."),
	decisions: observing.decisions.prefault({}).describe("Why requests were refused, by their ids."),
	versions: sections.versions
		.prefault({})
		.describe("Versions of policies, which can be compared and brought back."),
	request_id: observing.requestId.prefault({}).describe("How a request is named."),
	tracing: observing.tracing
		.prefault({})
		.describe("Which requests become spans, and where those go."),
	fleet: fleet
		.nullable()
		.default(null)
		.describe(
			"The fleet that this machine is a member of ([fleet.md](fleet.md)). null: its configuration is its own.",
		),
});

/** Settings that a flag and an environment variable set as well; flags are the strongest, the file the weakest. */
export const OVERRIDES = [
	{ setting: "listen", flag: "listen", variable: "WEIR_LISTEN" },
	{ setting: "management.address", flag: "management", variable: "WEIR_MANAGEMENT" },
	{ setting: "data_dir", flag: "data-dir", variable: "WEIR_DATA_DIR" },
	{ setting: "workers", flag: "workers", variable: "WEIR_WORKERS" },
] as const;

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

export type TlsFiles = Readonly<z.infer<typeof sections.certificate>>;
export type TlsSettings = CamelCased<ConfigFile["tls"]>;

/** A listener with its address parsed and its paths absolute. Its other options are those of the schema. */
export interface Listener
	extends CamelCased<Omit<z.infer<typeof sections.listenerSchema>, "address" | "tls">> {
	readonly host: string;
	readonly port: number;
	/** empty: plain */
	readonly tls: readonly TlsFiles[];
}

/** The management API's listener, resolved as the others are. */
export interface ManagementAddress {
	readonly host: string;
	readonly port: number;
	/** one at most; empty: plain */
	readonly tls: readonly TlsFiles[];
	/** names that requests may be for, besides those of address and certificates */
	readonly hosts: readonly string[];
	/** the live page is served */
	readonly ui: boolean;
}

/** The section `fleet`, resolved. */
export interface FleetSettings {
	readonly name: string;
	/** `tls://host:port` or `nats://host:port` */
	readonly servers: readonly string[];
	readonly credentials: string | null;
	readonly tls: {
		readonly ca: string | null;
		/** both or none */
		readonly cert: string | null;
		readonly key: string | null;
	};
	readonly role: "manager" | "edge";
	readonly member: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
	/** milliseconds without the engine; null: serves however long */
	readonly refuseAfterMs: number | null;
	readonly domain: string | null;
	readonly insecure: boolean;
}

/** Resolved: addresses parsed, paths absolute, `workers` counted. What processes are given. */
export interface Config {
	readonly listen: readonly Listener[];
	readonly tls: TlsSettings;
	readonly management: ManagementAddress;
	readonly dataDir: string;
	readonly countersFile: string;
	readonly keysPerRateLimit: number;
	readonly workers: number;
	readonly trustedProxies: readonly string[];
	readonly underscoresInHeaders: ConfigFile["underscores_in_headers"];
	readonly front: ConfigFile["front"];
	readonly standingRefusals: boolean;
	readonly allowTrace: boolean;
	readonly expressionErrors: ConfigFile["expression_errors"];
	readonly rateLimits: CamelCased<ConfigFile["rate_limits"]>;
	readonly expressions: CamelCased<ConfigFile["expressions"]>;
	readonly geoDatabase: string | null;
	readonly timeouts: CamelCased<ConfigFile["timeouts"]>;
	readonly limits: CamelCased<ConfigFile["limits"]>;
	readonly slowClients: CamelCased<ConfigFile["slow_clients"]>;
	readonly log: CamelCased<ConfigFile["log"]>;
	readonly metrics: CamelCased<ConfigFile["metrics"]>;
	readonly decisions: CamelCased<ConfigFile["decisions"]>;
	readonly versions: CamelCased<ConfigFile["versions"]>;
	readonly requestId: CamelCased<ConfigFile["request_id"]>;
	readonly tracing: CamelCased<ConfigFile["tracing"]>;
	/** null: the machine is in no fleet */
	readonly fleet: FleetSettings | null;
}

/** What a reload can't change: its name in the config file, and what of it is compared. */
export const KEPT_SETTINGS: readonly (readonly [string, (config: Config) => unknown])[] = [
	["data_dir", ({ dataDir }) => dataDir],
	["management.address", ({ management: { host, port } }) => [host, port]],
	["counters.file", ({ countersFile }) => countersFile],
	["fleet.name", ({ fleet: settings }) => settings?.name],
];
