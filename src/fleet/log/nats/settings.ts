/** What a member's way to NATS needs to know, and how a fleet's things are called there (docs/fleet.md, "The log"). */
import { asciiUpperCase } from "../../../ascii.ts";

export interface EngineSettings {
	/** `[a-z0-9-]{1,32}` */
	readonly fleet: string;
	/** `tls://host:port`, `nats://host:port` */
	readonly servers: readonly string[];
	/** file with a user's nkey seed (`SU…`), alone or beside a JWT; read at each connection */
	readonly credentials: string | null;
	/** files, read at each connection */
	readonly tls: {
		readonly ca: string | null;
		readonly cert: string | null;
		readonly key: string | null;
	};
	/** of JetStream, behind a leaf node */
	readonly domain: string | null;
	/** the machine's name: answers come to `_INBOX.weir.<name>.>`, so that users of the engine can't read each other's */
	readonly name: string;
	/** smallest message that the engine must take */
	readonly minPayloadBytes: number;
}

export interface Names {
	/** streams */
	readonly log: string;
	readonly seen: string;
	readonly snapshots: string;
	/** of the object store, which is the stream without `OBJ_` */
	readonly bucket: string;
	/** subjects */
	readonly append: string;
	readonly live: string;
	/** of one member */
	status(member: string): string;
	/** what every request to JetStream begins with */
	readonly api: string;
}

export function namesOf({ fleet, domain }: Pick<EngineSettings, "fleet" | "domain">): Names {
	const stream = `WEIR_${asciiUpperCase(fleet)}`;
	const bucket = `${stream}_SNAPSHOTS`;
	return {
		log: `${stream}_LOG`,
		seen: `${stream}_SEEN`,
		snapshots: `OBJ_${bucket}`,
		bucket,
		append: `weir.${fleet}.log`,
		live: `weir.${fleet}.live`,
		status: (member) => `weir.${fleet}.seen.${member}`,
		api: domain === null ? "$JS.API" : `$JS.${domain}.API`,
	};
}

/** A name of a machine as a part of a subject. */
export const inboxOf = (name: string): string =>
	`_INBOX.weir.${name.replace(/[^A-Za-z0-9_-]/g, "_")}`;

/** `127.0.0.1:4222` of `nats://127.0.0.1:4222`, for sentences */
export const placeOf = (server: string): string => server.replace(/^[a-z]+:\/\//, "");
