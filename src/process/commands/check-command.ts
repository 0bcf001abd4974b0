/** `weir check` (contract 1): judges config files and policies without a server. Called by `main.ts`. */
import { checkFiles } from "../check/check-files.ts";
import { errorsOf, KINDS } from "../check/checked-file.ts";
import { jsonLine, lines } from "../check/report.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { unknown } from "./command-line.ts";
import { complain } from "./complain.ts";

/** @returns the exit status: 0, 1 if any file has an error, 2 if the command makes no sense */
export async function check(sources: ConfigSources, paths: readonly string[]): Promise<number> {
	const { flags } = sources;
	const as = KINDS.find((kind) => kind === flags.as);
	if (flags.as !== undefined && as === undefined)
		return complain(unknown("kind of file", String(flags.as), KINDS));
	if (paths.length === 0) return complain("check needs at least one file (weir check --help)");
	const checked = await checkFiles(paths, { ...sources, ...(as === undefined ? {} : { as }) });
	if (!checked.ok) return complain(checked.error);
	for (const file of checked.value)
		process.stdout.write(flags.json === true ? jsonLine(file) : lines(file));
	return checked.value.some((file) => errorsOf(file).length > 0) ? 1 : 0;
}
