/**
 * What a reload has to do: which settings need new workers, and which listeners a worker can make anew beside its
 * connections. A setting that is not named here needs new workers. Used by `reload.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import type { Config, Listener } from "../../config.ts";
import { certificateMark } from "../../http/tls/certificates.ts";
import { formatAddress } from "../config/address.ts";

/** Taken over by the processes that run: a section, or one setting of it. */
const IN_PLACE: readonly string[] = [
	"decisions",
	"fleet",
	"log",
	"management",
	"metrics",
	"versions",
	"timeouts.drain_ms",
	"limits.policy_bytes",
	"limits.rules",
];

/** Of listeners only the addresses need new workers. */
const OF_LISTENERS: readonly string[] = ["listen", "tls"];

/** Names that differ from those in the config file. */
const FILE_NAMES: Readonly<Record<string, string>> = {
	keys_per_rate_limit: "counters.keys_max",
	geo_database: "geo.database",
	counters_file: "counters.file",
};

const snakeCased = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => `_${asciiLowerCase(letter)}`);

/** Each setting with its value as text. */
function settingsOf(config: Config): Map<string, string> {
	const settings = new Map<string, string>();
	for (const [key, value] of Object.entries(config)) {
		const section = snakeCased(key);
		if (typeof value === "object" && value !== null && !Array.isArray(value))
			for (const [field, inner] of Object.entries(value))
				settings.set(`${section}.${snakeCased(field)}`, JSON.stringify(inner));
		else settings.set(FILE_NAMES[section] ?? section, JSON.stringify(value));
	}
	return settings;
}

/** The settings that have changed and need new workers, by their names in the config file. */
export function needsWorkers(next: Config, current: Config): readonly string[] {
	const before = settingsOf(current);
	const changed = [...settingsOf(next)]
		.filter(([name, value]) => before.get(name) !== value)
		.map(([name]) => name)
		.filter((name) => !isIn(IN_PLACE, name) && !isIn(OF_LISTENERS, name));
	return addressesOf(next) === addressesOf(current) ? changed : ["listen", ...changed];
}

const isIn = (sections: readonly string[], name: string): boolean =>
	sections.some((section) => name === section || name.startsWith(`${section}.`));

const addressesOf = ({ listen }: Config): string => listen.map(formatAddress).join();

/** What each listener is made of, files included; another mark is another listener. @throws Error of the system */
export const listenerMarks = ({ listen, tls }: Pick<Config, "listen" | "tls">): readonly string[] =>
	listen.map((listener: Listener) =>
		JSON.stringify([
			listener,
			// `tls` says nothing of plain ones.
			listener.tls.map((files) => certificateMark(files, tls)),
		]),
	);

/** Places in `listen` of those that changed. */
export const changedListeners = (next: readonly string[], current: readonly string[]): number[] =>
	[...next.keys()].filter((index) => next[index] !== current[index]);
