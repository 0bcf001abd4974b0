/**
 * `weir fleet init|join|leave|reseed`: change where this machine stands, while its weir is stopped. Called by
 * `fleet-command.ts`.
 */
import { join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { countsInWords } from "../../store/backup/restore.ts";
import { backUpStore } from "../../store/backup/write-backup.ts";
import { fleetIn, hasStore, StoreError } from "../../store/open.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { type Begun, beginFleet, type EngineChoices, reseedFleet } from "../fleet/begin-fleet.ts";
import type { MemberConfig } from "../fleet/engine-settings.ts";
import { joinFleet } from "../fleet/join-fleet.ts";
import { withStopped } from "../fleet/stopped-store.ts";
import { CommandLog } from "../log/command-log.ts";
import { versionOf } from "../version.ts";
import { backupFile } from "./backup-target.ts";
import { complain } from "./complain.ts";
import { numberOf } from "./fleet-choices.ts";

interface Stopped {
	readonly config: Config;
	readonly flags: ConfigSources["flags"];
	/** from the environment */
	readonly apiKey: string | undefined;
	readonly sources: Pick<ConfigSources, "workingDirectory">;
}

/** @returns the exit status @throws StoreError, LogError why not, in a sentence */
export async function runStopped(
	action: "init" | "join" | "leave" | "reseed",
	stopped: Stopped,
): Promise<number> {
	const log = new CommandLog(stopped.config);
	const audit = (fields: object): void =>
		log.audit({ via: "command", data_dir: stopped.config.dataDir, ...fields });
	try {
		switch (action) {
			case "init":
			case "reseed":
				return await begin(action, stopped, audit);
			case "join":
				return await enter(stopped, audit);
			case "leave":
				return await leave(stopped.config.dataDir, audit);
		}
	} finally {
		await log.close();
	}
}

type Audit = (fields: object) => void;

function memberConfig({ config }: Stopped): MemberConfig {
	const { fleet, dataDir, limits } = config;
	if (fleet !== null) return { fleet, dataDir, limits };
	throw new StoreError(
		'the configuration names no fleet: write fleet: {name: …, servers: ["tls://…"]} into the file that --config names',
	);
}

async function begin(action: "init" | "reseed", stopped: Stopped, audit: Audit): Promise<number> {
	const { flags, sources } = stopped;
	const replicas = numberOf(flags, "replicas", { least: 1, most: 3, fallback: 0 });
	if (!replicas.ok) return complain(replicas.error);
	if (replicas.value === 2)
		return complain("--replicas: 1 or 3; two servers are no majority of two");
	const own = memberConfig(stopped);
	const admin =
		typeof flags.credentials === "string"
			? resolve(sources.workingDirectory, flags.credentials)
			: own.fleet.credentials;
	const config = { ...own, fleet: { ...own.fleet, credentials: admin } };
	const choices: EngineChoices = {
		replicas: replicas.value === 1 || replicas.value === 3 ? replicas.value : undefined,
		monitors: typeof flags.monitor === "string" ? [flags.monitor] : [],
	};
	const begun =
		action === "init"
			? await beginFleet(config, choices, stopped.apiKey)
			: await reseedFleet(config, choices);
	tell(action, own, begun);
	const { name } = config.fleet;
	audit({ operation: `${action}Fleet`, fleet: name, revision: begun.revision, result: "created" });
	return 0;
}

function tell(
	action: "init" | "reseed",
	{ fleet }: MemberConfig,
	{ server, version, replicas, warnings, counts, revision, newKey }: Begun,
): void {
	for (const warning of warnings) process.stderr.write(`weir: ${warning}\n`);
	const { edges, routes, policies } = counts;
	const copies = replicas === 1 ? "one server keeps" : `${replicas} servers keep`;
	const lines = [
		action === "init"
			? `The fleet "${fleet.name}" begins at revision ${revision}, with what this machine has: ${edges} edges, ${routes} routes, ${policies} policies.`
			: `The fleet "${fleet.name}" goes on from revision ${revision}, with what this machine has: ${edges} edges, ${routes} routes, ${policies} policies.`,
		`Its log is at ${server} (nats-server ${version}); ${copies} it.`,
		...(newKey === undefined ? [] : [`API key, shown this once, only its hash is kept: ${newKey}`]),
		action === "init"
			? "Next: weir serve here; then, on each other machine, weir serve with the same fleet: section and an empty data folder."
			: "Next: weir serve here; the other machines go over to it by themselves.",
	];
	process.stdout.write(`${lines.join("\n")}\n`);
}

async function enter(stopped: Stopped, audit: Audit): Promise<number> {
	const config = memberConfig(stopped);
	const { dataDir, fleet } = config;
	const { status, counts, saved, wasMember } = await joinFleet(config, {
		mayDiscard: stopped.flags["discard-local"] === true,
		save: () => save(dataDir),
	});
	const revision = status.position?.applied ?? 0;
	const { edges, routes, policies } = counts;
	const lines = [
		`${wasMember ? "This machine is a member already, and in sync" : "Joined"}: the fleet "${fleet.name}" at revision ${revision}, ${edges} edges, ${routes} routes, ${policies} policies.`,
		...(saved === undefined ? [] : [`What this machine had of its own is in ${saved}.`]),
		`Next: weir serve. Others see it as ${status.member.name} (${status.member.id}).`,
	];
	process.stdout.write(`${lines.join("\n")}\n`);
	audit({
		...{ operation: "joinFleet", fleet: fleet.name, revision },
		...{ set_aside: saved ?? null, result: wasMember ? "unchanged" : "changed" },
	});
	return 0;
}

/** As `weir backup`; `weir restore` takes it back after `weir fleet leave`. */
async function save(dataDir: string): Promise<string> {
	const moment = new Date().toISOString().replace(/[^0-9TZ]/g, "");
	const path = join(dataDir, `before-fleet-${moment}.backup`);
	const target = backupFile(path);
	try {
		const summary = await backUpStore(dataDir, {
			about: { weir: versionOf(), created: new Date().toISOString() },
			write: (bytes) => target.write(bytes),
			progress: () => {},
		});
		target.keep();
		return `${path} (${countsInWords(summary)})`;
	} catch (error) {
		target.drop();
		throw error;
	}
}

async function leave(dataDir: string, audit: Audit): Promise<number> {
	const fleet = hasStore(dataDir) ? await fleetIn(dataDir) : undefined;
	if (fleet === undefined)
		throw new StoreError(`the store in ${dataDir} is in no fleet, so there is none to leave`);
	const left = await withStopped(dataDir, async ({ store, state }) => {
		const { member, position } = state;
		state.leave();
		return { member, revision: position?.applied ?? 0, counts: store.counts() };
	});
	const { edges, routes, policies } = left.counts;
	process.stdout.write(
		[
			`Left the fleet "${fleet}" at revision ${left.revision}. This machine is its own, with ${edges} edges, ${routes} routes, ${policies} policies and the fleet's API keys.`,
			`Next: take fleet: out of its configuration, and weir serve. On another machine: weir fleet forget ${left.member}.`,
			"",
		].join("\n"),
	);
	const { member, revision } = left;
	audit({ operation: "leaveFleet", fleet, member, revision, result: "changed" });
	return 0;
}
