/**
 * Judges a config file as `weir serve --config FILE` would at its start, here and now, as this user and with this
 * environment. Called by `check-files.ts`.
 */
import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import type { ParsedText } from "../../documents/text.ts";
import { readSettings } from "../config/config-file.ts";
import type { ConfigProblem } from "../config/config-problem.ts";
import { type ConfigSources, judgeConfig } from "../config/load-config.ts";
import { startObstacles } from "../config/start-obstacles.ts";
import type { Finding } from "./checked-file.ts";

export interface CheckedConfig {
	readonly findings: readonly Finding[];
	/** undefined: its fields are wrong; with other mistakes its bounds are still what it says */
	readonly config: Config | undefined;
}

export async function checkConfig(
	path: string,
	parsed: ParsedText,
	{ environment, workingDirectory }: Pick<ConfigSources, "environment" | "workingDirectory">,
): Promise<CheckedConfig> {
	const file = readSettings(resolve(workingDirectory, path), parsed);
	if (!file.ok) return { findings: file.error.map(asError), config: undefined };
	const judged = judgeConfig(file.value, { flags: {}, environment, workingDirectory });
	const { config, mistakes, warnings, locate } = judged;
	const obstacles = await startObstacles(config);
	const further = obstacles.mistakes
		.map(locate)
		.filter((obstacle) => !mistakes.some((mistake) => isAbout(mistake, obstacle)));
	const findings = [
		...[...mistakes, ...further].map(asError),
		...[...warnings, ...obstacles.warnings.map(locate)].map(asWarning),
	];
	return { findings: findings.sort(byPosition), config };
}

/** As the file has them; what is not in it comes last. */
const byPosition = ({ position: one }: Finding, { position: other }: Finding): number =>
	order(one?.line, other?.line) || order(one?.column, other?.column);

const order = (one = Number.MAX_SAFE_INTEGER, other = Number.MAX_SAFE_INTEGER): number =>
	one - other;

/** Of a setting that is wrong, what follows from it is not worth a second sentence. */
function isAbout(one: ConfigProblem, other: ConfigProblem): boolean {
	if (one.source !== undefined || other.source !== undefined) return one.source === other.source;
	const [mine, its] = [`${one.pointer}/`, `${other.pointer}/`];
	return mine.startsWith(its) || its.startsWith(mine);
}

const asError = (problem: ConfigProblem): Finding => ({ severity: "error", ...problem });
const asWarning = (problem: ConfigProblem): Finding => ({ severity: "warning", ...problem });
