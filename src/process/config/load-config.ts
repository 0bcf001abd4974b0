/**
 * Makes the one frozen `Config` of a run from flags, `WEIR_*` environment, file and defaults, in that
 * order of strength (contract 1). Every mistake is reported at once, with the place it stands in.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import {
	type Config,
	type ConfigFile,
	camelCased,
	configSchema,
	type Listener,
	OVERRIDES,
} from "../../config.ts";
import { listenerSchema } from "../../config-sections.ts";
import { check, nearest } from "../../documents/problems.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { COUNTERS_FILE } from "../../limiter/counters-file.ts";
import { logDestination } from "../log/log-destination.ts";
import { parseAddress } from "./address.ts";
import { findMistakes, withoutEffect } from "./config-mistakes.ts";
import { API_KEY_VARIABLE, VARIABLES } from "./environment.ts";

export interface ConfigSources {
	readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly workingDirectory: string;
	/** instead of the schema's, where neither flag nor environment nor file names a data folder: the demo's */
	readonly defaultDataDir?: string;
}

/** `warnings` are sentences; the run goes on with them. */
export interface LoadedConfig {
	readonly config: Config;
	/** from the environment, `API_KEY_VARIABLE` */
	readonly apiKey: string | undefined;
	readonly warnings: readonly string[];
}

export function loadConfig(sources: ConfigSources): Result<LoadedConfig, readonly string[]> {
	const path = sources.flags.config;
	const file = typeof path === "string" ? readFile(resolve(sources.workingDirectory, path)) : EMPTY;
	if (!file.ok) return file;
	const overrides = overridesOf(sources);
	const mistakes: string[] = [];
	const config = resolveConfig(file.value, overrides, sources, mistakes);
	mistakes.push(...findMistakes(config));
	const apiKey = sources.environment[API_KEY_VARIABLE];
	if (!isSendable(apiKey ?? ""))
		mistakes.push(
			`${API_KEY_VARIABLE}: no client could send it; use printable ASCII without spaces`,
		);
	if (mistakes.length > 0) return fail(mistakes);
	return ok({
		config: Object.freeze(config),
		apiKey: apiKey === "" ? undefined : apiKey,
		warnings: [...strayVariables(sources.environment), ...withoutEffect(file.value.settings)],
	});
}

/** As a bearer token; a line break at its end is easily brought along from a file. */
const isSendable = (key: string): boolean => /^[\x21-\x7e]*$/.test(key);

interface FileSettings {
	readonly settings: ConfigFile;
	/** undefined: no file, relative paths count from the working directory */
	readonly folder: string | undefined;
	readonly namesDataDir: boolean;
}

const EMPTY = ok<FileSettings>({
	settings: configSchema.parse({}),
	folder: undefined,
	namesDataDir: false,
});

function readFile(path: string): Result<FileSettings, readonly string[]> {
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (error) {
		return fail([`cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`]);
	}
	const lines = new LineCounter();
	const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true });
	const place = (offset: number | undefined): string => {
		if (offset === undefined) return path;
		const { line, col } = lines.linePos(offset);
		return `${path}:${line}:${col}`;
	};
	if (document.errors.length > 0)
		return fail(
			document.errors.map((error) => `${place(error.pos[0])}: ${error.message.split("\n")[0]}`),
		);
	let settings: unknown;
	try {
		settings = document.toJS({ maxAliasCount: 100 }) ?? {};
	} catch (error) {
		// aliases without an anchor, or so many that they would fill the memory
		return fail([`${path}: ${(error as Error).message}`]);
	}
	const checked = check(configSchema, settings);
	if (checked.ok) {
		const namesDataDir = document.get("data_dir") !== undefined;
		return ok({ settings: checked.value, folder: dirname(path), namesDataDir });
	}
	return fail(
		checked.error.map(({ pointer, message }) => {
			const steps = pointer.split("/").slice(1).map(unescapeStep);
			const node = document.getIn(steps, true) as { range?: [number] } | undefined;
			return `${place(node?.range?.[0])}: ${pointer || "/"}: ${message}`;
		}),
	);
}

const unescapeStep = (step: string): string => step.replaceAll("~1", "/").replaceAll("~0", "~");

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

function resolveConfig(
	{ settings: file, folder, namesDataDir }: FileSettings,
	overrides: Overrides,
	{ workingDirectory, defaultDataDir }: ConfigSources,
	mistakes: string[],
): Config {
	const fromFile = (path: string): string => resolve(folder ?? workingDirectory, path);
	const address = (text: string, name: string): { host: string; port: number } => {
		const parsed = parseAddress(text);
		if (parsed === undefined)
			mistakes.push(`${name}: "${text}" is no address; write host:port, e.g. 127.0.0.1:8080`);
		return parsed ?? { host: "", port: 0 };
	};
	const listener = (
		{ address: text, tls, ...options }: z.infer<typeof listenerSchema>,
		name: string,
	): Listener => ({
		...address(text, name),
		tls: [tls ?? []].flat().map(({ cert, key }) => ({ cert: fromFile(cert), key: fromFile(key) })),
		...camelCased(options),
	});
	const plain = (text: string, name: string): Listener =>
		listener(listenerSchema.parse({ address: text }), name);
	const { listen: fileListen, management: fileManagement } = file;
	const listen =
		overrides.listen?.value.map((text) => plain(text, overrides.listen?.name ?? "")) ??
		(typeof fileListen === "string"
			? [plain(fileListen, "listen")]
			: fileListen.map((each, index) => listener(each, `listen/${index}/address`)));
	const management = overrides.management;
	const givenDataDir =
		overrides["data-dir"]?.value[0] ?? (namesDataDir ? undefined : defaultDataDir);
	const dataDir =
		givenDataDir === undefined ? fromFile(file.data_dir) : resolve(workingDirectory, givenDataDir);
	return {
		listen,
		tls: camelCased(file.tls),
		management: address(
			management?.value[0] ?? addressOf(fileManagement),
			management?.name ??
				(typeof fileManagement === "string" ? "management" : "management/address"),
		),
		dataDir,
		countersFile:
			file.counters.file === null ? `${dataDir}/${COUNTERS_FILE}` : fromFile(file.counters.file),
		keysPerRateLimit: file.counters.keys_max,
		workers: workerCount(overrides.workers, mistakes) ?? file.workers ?? availableParallelism(),
		trustedProxies: file.trusted_proxies,
		underscoresInHeaders: file.underscores_in_headers,
		front: file.front,
		allowTrace: file.allow_trace,
		expressionErrors: file.expression_errors,
		expressions: camelCased(file.expressions),
		geoDatabase: file.geo.database === null ? null : fromFile(file.geo.database),
		timeouts: camelCased(file.timeouts),
		limits: camelCased(file.limits),
		slowClients: camelCased(file.slow_clients),
		log: {
			...camelCased(file.log),
			destination: ["stdout", "stderr"].includes(file.log.destination)
				? file.log.destination
				: logDestination(fromFile(file.log.destination)),
		},
	};
}

const addressOf = (management: ConfigFile["management"]): string =>
	typeof management === "string" ? management : management.address;

function workerCount(given: Overrides[string], mistakes: string[]): number | undefined {
	if (given === undefined) return undefined;
	const [text = ""] = given.value;
	if (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 256) return Number(text);
	mistakes.push(`${given.name}: "${text}" is no number of workers; 1 to 256`);
	return undefined;
}

/**
 * A misspelt `WEIR_LISTN` must not be ignored in silence; but container platforms put variables of their
 * own beside ours (`WEIR_SERVICE_HOST`), so it is no reason to stop either.
 */
function strayVariables(environment: ConfigSources["environment"]): string[] {
	return Object.keys(environment)
		.filter((name) => name.startsWith("WEIR_") && !VARIABLES.includes(name))
		.map((name) => {
			const near = nearest(name, VARIABLES);
			const hint = near === undefined ? "" : `; did you mean ${near}?`;
			return `environment variable ${name} is not one of weir's and is ignored${hint}`;
		});
}
