/** Runs a replay from its files to its report. Called by process/commands/replay-command.ts. */
import type { Config } from "../../config.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { ValidationOptions } from "../../policy/document/validate.ts";
import { openReplay, type Replay } from "../../replay/replay.ts";
import { ReplayError } from "../../replay/replay-error.ts";
import type { ReplayReport } from "../../replay/shapes.ts";
import type { PolicySource } from "../../replay/simulation.ts";
import { nameOfGiven, whyUnreadable } from "../config/bounded-file.ts";
import { inOrderOfTime, LineSplitter, type LogFile, logFile, readLog } from "./log-lines.ts";
import { readPolicies } from "./policy-source.ts";
import { ProgressBar } from "./progress-bar.ts";

export interface ReplayQuestion {
	readonly logs: readonly string[];
	readonly policy: string;
	readonly against: string | undefined;
	readonly config: Config;
	/** of the weir that wrote the log */
	readonly isLogged: boolean;
	readonly options: ValidationOptions;
	readonly route: string | undefined;
	readonly top: number;
	readonly samples: number;
	/** of the terminal; undefined: there is none */
	readonly bar: ((text: string) => void) | undefined;
	/** there is to be a report of what has been read so far */
	readonly ended: AbortSignal;
}

interface Wrong {
	/** whole lines for people, before the sentence */
	readonly lines?: readonly string[];
	readonly sentence: string;
}

export async function runReplay(question: ReplayQuestion): Promise<Result<ReplayReport, Wrong>> {
	const sources = sourcesOf(question);
	if (!sources.ok) return sources;
	const files = await filesOf(question.logs);
	if (!files.ok) return files;
	const replay = await openReplay({ ...question, ...sources.value });
	try {
		const whole = await readAll(files.value, replay, question);
		if (!whole.ok) return whole;
		const report = replay.end(whole.value);
		if (report.lines.requests === 0 && whole.value) return fail(nothingIn(report, question));
		return ok(report);
	} catch (error) {
		if (error instanceof ReplayError) return fail({ sentence: error.message });
		throw error;
	} finally {
		replay.close();
	}
}

function sourcesOf({
	policy,
	against,
	options,
}: ReplayQuestion): Result<{ policy: PolicySource; against: PolicySource | undefined }, Wrong> {
	const read = readPolicies(policy, options);
	if (!read.ok) return fail({ lines: read.error, sentence: `${policy} can't be replayed` });
	const old = against === undefined ? undefined : readPolicies(against, options);
	if (old !== undefined && !old.ok)
		return fail({ lines: old.error, sentence: `${against} can't be compared with` });
	const lists = old?.value.lists ?? new Map();
	return ok({
		policy: read.value.source(lists),
		against: old?.value.source(read.value.lists),
	});
}

async function filesOf(logs: readonly string[]): Promise<Result<readonly LogFile[], Wrong>> {
	const files: LogFile[] = [];
	for (const path of logs) {
		try {
			files.push(logFile(path));
		} catch (error) {
			return fail({ sentence: `${path} cannot be read: ${whyUnreadable(error)}` });
		}
	}
	try {
		return ok(await inOrderOfTime(files));
	} catch (error) {
		return fail({ sentence: `a log cannot be read: ${whyUnreadable(error)}` });
	}
}

/** @returns whether all of it was read */
async function readAll(
	files: readonly LogFile[],
	replay: Replay,
	{ bar: write, ended }: ReplayQuestion,
): Promise<Result<boolean, Wrong>> {
	const sizes = files.map(({ bytes }) => bytes);
	const isKnown = sizes.every((bytes) => bytes !== undefined);
	const total = isKnown ? sizes.reduce((sum = 0, bytes = 0) => sum + bytes, 0) : undefined;
	const bar = new ProgressBar(total, write);
	let before = 0;
	try {
		for (const file of files) {
			const told = (bytes: number): void => bar.tell(before + bytes, replay.requests);
			const name = nameOfGiven(file.path);
			const splitter = new LineSplitter(
				(text, number) => replay.take(text, name, number),
				(number) => replay.bad(name, number, "it is longer than 1 MiB, which no access line is"),
			);
			try {
				await readLog(file, splitter, told, ended);
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === undefined) throw error;
				return fail({ sentence: whyNot(name, error) });
			}
			before += file.bytes ?? 0;
			if (ended.aborted) return ok(false);
		}
	} finally {
		bar.clear();
	}
	return ok(true);
}

function whyNot(name: string, error: unknown): string {
	const { code = "", message } = error as NodeJS.ErrnoException;
	if (code.startsWith("Z_") || code === "ERR_ZLIB")
		return `${name} cannot be read: it is no whole gzip file (${message}); decompress it, or copy it again`;
	return `${name} cannot be read: ${whyUnreadable(error)}`;
}

/** Of a log that holds no request that could be replayed. */
function nothingIn({ lines }: ReplayReport, { logs, route }: ReplayQuestion): Wrong {
	const name = logs.length === 1 ? nameOfGiven(`${logs[0]}`) : "these logs";
	const holds = logs.length === 1 ? "holds" : "hold";
	if (lines.other_routes > 0) {
		const of = route === undefined ? "the routes that the files declare" : `the route ${route}`;
		return {
			sentence: `${name} ${holds} no request of ${of}: ${lines.other_routes} are of others`,
		};
	}
	if (lines.first_bad !== null) {
		const { file, line, why } = lines.first_bad;
		return {
			sentence: `${name} ${holds} no access line. ${file}, line ${line}: ${why}. Logs of weir (JSON lines, log.access: true) and in the combined format of nginx and Apache can be replayed`,
		};
	}
	const instead =
		lines.read === 0 ? "empty" : `${lines.read} lines of other things, none of a request`;
	return {
		sentence: `${name} ${holds} nothing to replay: ${instead}; set log.access: true, and lines are written for all requests`,
	};
}
