/**
 * Makes the one frozen `Config` of a run from flags, `WEIR_*` environment, file and defaults, in that
 * order of strength (contract 1). Every mistake is reported at once, with the place it stands in.
 */
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import { type Config, camelCased, type Listener, OVERRIDES, type TlsFiles } from "../../config.ts";
import { listenerSchema, management as managementSchema } from "../../config-sections.ts";
import { nearest } from "../../documents/problems.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { COUNTERS_FILE } from "../../limiter/counters-file.ts";
import { LIMITS } from "../../limits/limits.ts";
import { logDestination } from "../log/log-destination.ts";
import { parseAddress } from "./address.ts";
import { type FileSettings, NO_FILE, readConfigFile } from "./config-file.ts";
import { findMistakes, withoutEffect } from "./config-mistakes.ts";
import { type ConfigProblem, type SettingProblem, sentenceOf } from "./config-problem.ts";
import { API_KEY_VARIABLE, VARIABLES } from "./environment.ts";
import { fleetSettings, fleetWarnings } from "./fleet-settings.ts";
import { exposedManagement } from "./management-mistakes.ts";

export interface ConfigSources {
	readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly workingDirectory: string;
	/** instead of the schema's, where neither flag nor environment nor file names a data folder: the demo's */
	readonly defaultDataDir?: string;
}

export interface JudgedConfig {
	readonly config: Config;
	/** from the environment, `API_KEY_VARIABLE` */
	readonly apiKey: string | undefined;
	/** with any of them there is no run, and parts of `config` are made up */
	readonly mistakes: readonly ConfigProblem[];
	/** the run goes on with them */
	readonly warnings: readonly ConfigProblem[];
	/** Says of a setting's problem where the setting was written. */
	readonly locate: (problem: SettingProblem) => ConfigProblem;
}

/** `warnings` are sentences. */
export interface LoadedConfig extends Pick<JudgedConfig, "config" | "apiKey"> {
	readonly warnings: readonly string[];
}

export function loadConfig(sources: ConfigSources): Result<LoadedConfig, readonly string[]> {
	const { config: given } = sources.flags;
	const path = typeof given === "string" ? resolve(sources.workingDirectory, given) : undefined;
	const sentences = (problems: readonly ConfigProblem[]): string[] =>
		problems.map((problem) => sentenceOf(problem, path));
	const file = path === undefined ? ok(NO_FILE) : readConfigFile(path);
	if (!file.ok) return fail(sentences(file.error));
	const { config, apiKey, mistakes, warnings } = judgeConfig(file.value, sources);
	if (mistakes.length > 0) return fail(sentences(mistakes));
	return ok({ config, apiKey, warnings: sentences(warnings) });
}

/** What follows from the settings of a file that was read, as far as it can be told at once; the rest is `start-obstacles.ts`'s. */
export function judgeConfig(file: FileSettings, sources: ConfigSources): JudgedConfig {
	const overrides = overridesOf(sources);
	const locate = (problem: SettingProblem): ConfigProblem => {
		const source = overriderOf(problem.pointer, overrides);
		return source === undefined ? file.locate(problem) : { source, message: problem.message };
	};
	const unresolved: SettingProblem[] = [];
	const config = Object.freeze(resolveConfig(file, overrides, sources, unresolved));
	const apiKey = sources.environment[API_KEY_VARIABLE];
	return {
		config,
		apiKey: apiKey === "" ? undefined : apiKey,
		mistakes: [
			...[...unresolved, ...findMistakes(config)].map(locate),
			...(isSendable(apiKey ?? "") ? [] : [UNSENDABLE]),
		],
		warnings: [
			...strayVariables(sources.environment),
			...withoutEffect(file.settings).map(file.locate),
			...exposedManagement(config).map(locate),
			...fleetWarnings(config.fleet).map(locate),
		],
		locate,
	};
}

const UNSENDABLE: ConfigProblem = {
	source: API_KEY_VARIABLE,
	message: "no client could send it; use printable ASCII without spaces",
};

/** As a bearer token; a line break at its end is easily brought along from a file. */
const isSendable = (key: string): boolean => /^[\x21-\x7e]*$/.test(key);

type Overrides = Readonly<Partial<Record<string, { value: readonly string[]; name: string }>>>;

/** Flags over environment, with the name under which the user gave each. */
function overridesOf({ flags, environment }: ConfigSources): Overrides {
	const found: Record<string, { value: readonly string[]; name: string }> = {};
	for (const { variable, flag } of OVERRIDES) {
		const value = environment[variable];
		if (value === undefined || value === "") continue;
		const values = flag === "listen" ? value.split(",").map((part) => part.trim()) : [value];
		found[flag] = { value: values, name: variable };
	}
	for (const { flag } of OVERRIDES) {
		const value = flags[flag];
		if (typeof value === "boolean" || value === undefined) continue;
		found[flag] = { value: typeof value === "string" ? [value] : value, name: `--${flag}` };
	}
	return found;
}

/** Which flag or variable sets the setting that a pointer leads to; undefined: none does. */
function overriderOf(pointer: string, overrides: Overrides): string | undefined {
	const override = OVERRIDES.find(({ setting }) =>
		`${pointer}/`.startsWith(`/${setting.replaceAll(".", "/")}/`),
	);
	return override === undefined ? undefined : overrides[override.flag]?.name;
}

function resolveConfig(
	{ settings: file, folder, names }: FileSettings,
	overrides: Overrides,
	{ workingDirectory, defaultDataDir }: ConfigSources,
	mistakes: SettingProblem[],
): Config {
	const fromFile = (path: string): string => resolve(folder ?? workingDirectory, path);
	const logged = (to: string): string =>
		["stdout", "stderr"].includes(to) ? to : logDestination(fromFile(to));
	const address = (text: string, pointer: string): { host: string; port: number } => {
		const parsed = parseAddress(text);
		const message = `"${text}" is no address; write host:port, e.g. 127.0.0.1:8080`;
		if (parsed === undefined) mistakes.push({ pointer, message });
		return parsed ?? { host: "", port: 0 };
	};
	const certificates = (tls: z.infer<typeof listenerSchema>["tls"]): readonly TlsFiles[] =>
		[tls ?? []].flat().map(({ cert, key }) => ({ cert: fromFile(cert), key: fromFile(key) }));
	const listener = (
		{ address: text, tls, ...options }: z.infer<typeof listenerSchema>,
		index: number,
	): Listener => ({
		...address(text, `/listen/${index}/address`),
		tls: certificates(tls),
		...camelCased(options),
	});
	const plain = (text: string, index: number): Listener =>
		listener(listenerSchema.parse({ address: text }), index);
	const { listen: fileListen } = file;
	const listen =
		overrides.listen?.value.map(plain) ??
		(typeof fileListen === "string" ? [plain(fileListen, 0)] : fileListen.map(listener));
	const { address: managementAddress, ...management } =
		typeof file.management === "string" ? plainManagement(file.management) : file.management;
	const givenDataDir =
		overrides["data-dir"]?.value[0] ?? (names("data_dir") ? undefined : defaultDataDir);
	const dataDir =
		givenDataDir === undefined ? fromFile(file.data_dir) : resolve(workingDirectory, givenDataDir);
	return {
		listen,
		tls: camelCased(file.tls),
		management: {
			...address(overrides.management?.value[0] ?? managementAddress, "/management/address"),
			tls: certificates(management.tls),
			hosts: management.hosts,
			ui: management.ui,
		},
		dataDir,
		countersFile:
			file.counters.file === null ? `${dataDir}/${COUNTERS_FILE}` : fromFile(file.counters.file),
		keysPerRateLimit: file.counters.keys_max,
		workers: workerCount(overrides.workers, mistakes) ?? file.workers ?? availableParallelism(),
		trustedProxies: file.trusted_proxies,
		underscoresInHeaders: file.underscores_in_headers,
		front: file.front,
		standingRefusals: file.standing_refusals,
		allowTrace: file.allow_trace,
		expressionErrors: file.expression_errors,
		rateLimits: camelCased(file.rate_limits),
		expressions: camelCased(file.expressions),
		geoDatabase: file.geo.database === null ? null : fromFile(file.geo.database),
		timeouts: camelCased(file.timeouts),
		limits: camelCased(file.limits),
		slowClients: camelCased(file.slow_clients),
		metrics: camelCased(file.metrics),
		log: {
			...camelCased(file.log),
			destination: logged(file.log.destination),
			audit: file.log.audit === null ? null : logged(file.log.audit),
			accessDestination:
				file.log.access_destination === null ? null : logged(file.log.access_destination),
			headers: file.log.headers.map(asciiLowerCase),
			responseHeaders: file.log.response_headers.map(asciiLowerCase),
		},
		decisions: camelCased(file.decisions),
		versions: camelCased(file.versions),
		requestId: { ...file.request_id, header: asciiLowerCase(file.request_id.header) },
		tracing: camelCased(file.tracing),
		fleet: file.fleet === null ? null : fleetSettings(file.fleet, fromFile),
	};
}

const plainManagement = (address: string) => managementSchema.parse({ address });

function workerCount(given: Overrides[string], mistakes: SettingProblem[]): number | undefined {
	if (given === undefined) return undefined;
	const [text = ""] = given.value;
	const most = LIMITS.workersMax;
	if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most) return Number(text);
	mistakes.push({
		pointer: "/workers",
		message: `"${text}" is no number of workers; 1 to ${most}`,
	});
	return undefined;
}

/**
 * A misspelt `WEIR_LISTN` must not be ignored in silence; but container platforms put variables of their
 * own beside ours (`WEIR_SERVICE_HOST`), so it is no reason to stop either.
 */
function strayVariables(environment: ConfigSources["environment"]): ConfigProblem[] {
	return Object.keys(environment)
		.filter((name) => name.startsWith("WEIR_") && !VARIABLES.includes(name))
		.map((name) => {
			const near = nearest(name, VARIABLES);
			const hint = near === undefined ? "" : `; did you mean ${near}?`;
			return { source: name, message: `no variable of weir's, and ignored${hint}` };
		});
}
