/** A log in real servers for the suite: one fleet a test, with users who have the rights that deploy/fleet gives them. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUser } from "@nats-io/nkeys";
import { NatsLog } from "../../../src/fleet/log/nats/nats-log.ts";
import type { EngineSettings } from "../../../src/fleet/log/nats/settings.ts";
import { connected, type SetupOptions, setUp } from "../../../src/fleet/log/nats/setup.ts";
import type { Engines } from "../engine.ts";
import { snapshotOf } from "../log/examples.ts";
import type { LogBench } from "../log/given.ts";

const RIGHTS = join(import.meta.dirname, "..", "..", "..", "deploy", "fleet", "rights.conf");

export type Role = "admin" | "manager" | "edge";
const USERS: Readonly<Record<Role, string>> = {
	admin: "weir-admin",
	manager: "ams-1",
	edge: "edge-1",
};

/** Files with the seeds of users, and what a server's configuration says of them. */
export class Users {
	readonly #folder = mkdtempSync(join(tmpdir(), "weir-users-"));
	readonly config: string;

	/** @param domain of JetStream, in their rights */
	constructor(domain?: string) {
		let config = readFileSync(RIGHTS, "utf8");
		for (const [role, user] of Object.entries(USERS)) {
			const pair = createUser();
			writeFileSync(this.file(role as Role), pair.getSeed());
			config = config.replace(`user: "${user}"`, `nkey: "${pair.getPublicKey()}"`);
		}
		this.config = config
			.replace(/^.*user: ".*$/gm, "")
			.replaceAll("$JS.API.", domain === undefined ? "$JS.API." : `$JS.${domain}.API.`);
	}

	file(role: Role): string {
		return join(this.#folder, role);
	}

	close(): void {
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** The rights name the fleet, so that every test has the same, made anew. */
export const FLEET = "prod";

export function settingsFor(
	servers: readonly string[],
	credentials: string | null,
	fields: Partial<EngineSettings> = {},
): EngineSettings {
	return {
		fleet: FLEET,
		servers,
		credentials,
		tls: { ca: null, cert: null, key: null },
		domain: null,
		name: `test-${randomBytes(4).toString("hex")}`,
		minPayloadBytes: 2_162_688,
		...fields,
	};
}

/** @param revision the log's last, before its first record */
export function setupAt(revision: number, fields: Partial<SetupOptions> = {}): SetupOptions {
	return {
		incarnation: randomBytes(8).toString("hex"),
		snapshot: snapshotOf(revision, []),
		replaces: true,
		...fields,
	};
}

export function natsBench(engines: Engines, users: Users): LogBench {
	const open = async (role: Role): Promise<NatsLog> => {
		const log = new NatsLog(settingsFor(engines.urls, users.file(role)));
		await connected(log);
		return log;
	};
	return {
		open,
		begin: async (maxBytes) => {
			const admin = await open("admin");
			await setUp(admin, setupAt(0, { maxBytes }));
			await admin.snapshots.trim(0);
			for (const { status } of await admin.seen()) await admin.forget(status.id);
			await admin.close();
		},
		close: async () => {
			users.close();
			await engines.close();
		},
	};
}
