/** `weir replay` (contract 1): what a policy would have done with the requests of a log. Called by `main.ts`. */
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { boundsOf } from "../check/check-policy.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { paintFor } from "../explain/paint.ts";
import { renderedReplay } from "../replay/render.ts";
import { runReplay } from "../replay/run-replay.ts";
import { complain } from "./complain.ts";

/** As shells have it for a command that SIGINT has ended. */
const INTERRUPTED = 130;

/** @param words further logs, for who writes `--log access.log*` @returns the exit status */
export async function replay(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags, environment } = sources;
	const logs = [...[flags.log ?? []].flat().filter(isText), ...words];
	const { policy, against, route } = flags;
	if (logs.length === 0 || typeof policy !== "string")
		return complain("replay needs --log FILE and --policy FILE (weir replay --help)");
	if (typeof route === "string" && !/^[^/]+\/[^/]+$/.test(route))
		return complain("--route needs an edge and a route: --route EDGE/ROUTE");
	const top = amount(flags, "top", LIMITS.replayTop, LIMITS.replayTopMax);
	if (!top.ok) return complain(top.error);
	const samples = amount(flags, "samples", LIMITS.replaySamples, LIMITS.replaySamplesMax);
	if (!samples.ok) return complain(samples.error);
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const isLogged = flags.config !== undefined;
	const ended = new AbortController();
	const stop = (): void => ended.abort();
	// a second one ends the process at once
	process.once("SIGINT", stop);
	const { config } = loaded.value;
	const report = await runReplay({
		...{ logs, policy, config, isLogged, top: top.value, samples: samples.value },
		against: isText(against) ? against : undefined,
		route: isText(route) ? route : undefined,
		options: boundsOf(isLogged ? config : undefined).options,
		bar: process.stderr.isTTY === true ? (text) => void process.stderr.write(text) : undefined,
		ended: ended.signal,
	});
	process.removeListener("SIGINT", stop);
	if (!report.ok) {
		for (const line of report.error.lines ?? []) process.stderr.write(line);
		return complain(report.error.sentence);
	}
	const { value } = report;
	process.stdout.write(
		flags.json === true
			? `${JSON.stringify(value, null, 2)}\n`
			: renderedReplay(value, paintFor(process.stdout, environment)),
	);
	if (!value.complete) return INTERRUPTED;
	const { now_blocked, now_passed, changed } = value.requests;
	return now_blocked + now_passed + changed === 0 ? 0 : 1;
}

const isText = (value: unknown): value is string => typeof value === "string";

function amount(
	flags: ConfigSources["flags"],
	name: "top" | "samples",
	usual: number,
	most: number,
): Result<number, string> {
	const text = flags[name];
	if (!isText(text)) return ok(usual);
	if (/^\d{1,6}$/.test(text) && Number(text) <= most) return ok(Number(text));
	return fail(`--${name} needs a number from 0 to ${most}, not "${text}"`);
}
