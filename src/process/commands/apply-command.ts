/**
 * `weir apply` (contract 1): makes a server hold what files declare; shows the difference first. Called by `main.ts`.
 */
import { canonical } from "../../documents/yaml-text.ts";
import type { ApiClient } from "../api/api-client.ts";
import { ApiFailure } from "../api/api-client.ts";
import { deletedBy, type Plan, planOf, stepsOf } from "../apply/plan.ts";
import { readResources } from "../apply/resource-files.ts";
import { keyOf, type Resources, type StoredResource, titleOf } from "../apply/resources.ts";
import { runPlan } from "../apply/run-plan.ts";
import { readNamed, readServer } from "../apply/server-state.ts";
import { counted, planLines, terminalPainter } from "../apply/show-plan.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { isAgreed, notAgreed } from "./agreement.ts";
import { apiTarget, judgedBy } from "./api-target.ts";
import { complain } from "./complain.ts";
import { Progress } from "./progress.ts";

/** @returns the exit status: 0, 1 if something could not be done, 2 if the command makes no sense */
export async function apply(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags } = sources;
	const paths = [...[flags.file ?? []].flat().map(String), ...words];
	const stray = misuse(flags, paths);
	if (stray !== undefined) return complain(stray);
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	// Tests of policies are run here, before anything is asked of the server.
	const options = judgedBy(sources);
	if (!options.ok) return complain(options.error);
	const files = readResources(paths, options.value);
	if (!files.ok) return refuse(files.error);
	for (const warning of files.value.warnings) process.stderr.write(warning);
	try {
		return await applied(target.value, files.value.resources, flags);
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message, 1);
		throw error;
	}
}

type Flags = ConfigSources["flags"];

function misuse(flags: Flags, paths: readonly string[]): string | undefined {
	if (paths.length === 0) return "apply needs at least one file or folder (weir apply --help)";
	if (flags["prune-most"] === true && flags.prune !== true)
		return "--prune-most is for --prune: give both";
	if (flags["dry-run"] === true && flags.yes === true)
		return "--dry-run changes nothing, --yes does; give one of them";
	return undefined;
}

function refuse(lines: readonly string[]): number {
	for (const each of lines) process.stderr.write(each);
	return complain("nothing was changed: mend what is said above", 1);
}

async function applied(client: ApiClient, wanted: Resources, flags: Flags): Promise<number> {
	const prune = flags.prune === true;
	const progress = new Progress("read the server");
	const told = (done: number): void => progress.tell(done);
	const stored = prune
		? await readServer(client, told)
		: await readNamed(client, [...wanted.values()], told);
	const plan = await withEtags(client, planOf(wanted, stored, prune));
	process.stdout.write(planLines(plan, terminalPainter()));
	process.stdout.write(`${counted(plan)}\n`);
	if (plan.obstacles.length > 0) {
		complain(plan.obstacles, 1);
		return complain("nothing was changed", 1);
	}
	if (stepsOf(plan).length === 0) return 0;
	const most = prune && flags["prune-most"] !== true ? tooMuch(plan, wanted, stored) : undefined;
	if (most !== undefined) return complain(most, 1);
	if (flags["dry-run"] === true) return 0;
	if (flags.yes !== true && !(await isAgreed(`apply this to ${client.url}?`)))
		return notAgreed("--yes, or --dry-run");
	return carriedOut(client, plan, flags.atomic === true);
}

/** A file that lost its content, or the wrong server: what was meant is seldom that most of it goes. */
function tooMuch(
	plan: Plan,
	wanted: Resources,
	stored: Resources<StoredResource>,
): string | undefined {
	const deleted = deletedBy(plan);
	const half = stored.size / 2;
	if (wanted.size > 0 && (deleted <= 1 || deleted <= half)) return undefined;
	if (deleted === 0) return undefined;
	return `--prune would delete ${deleted} of the ${stored.size} resources on the server, which is most of them; nothing was changed. If that is meant, add --prune-most`;
}

/** Lists have no etags, so those of edges and routes that a plan from lists changes are read now. */
async function withEtags(client: ApiClient, plan: Plan): Promise<Plan> {
	const lacking = stepsOf(plan).filter(({ action, etag }) => action !== "create" && !etag);
	if (lacking.length === 0) return plan;
	const known = await readNamed(client, lacking);
	const batches = plan.batches.map((batch) =>
		batch.map((step) => {
			const now = known.get(keyOf(step));
			if (now === undefined) return step;
			// What has changed since is refused by the server as any other change that was not seen.
			const isSame = canonical(now.document) === canonical(step.before);
			return { ...step, etag: isSame ? now.etag : NO_ETAG };
		}),
	);
	return { ...plan, batches };
}

/** that no document has */
const NO_ETAG = '"changed"';

async function carriedOut(client: ApiClient, plan: Plan, atomic: boolean): Promise<number> {
	const { done, failure } = await runPlan(client, plan, atomic, (line) => {
		process.stdout.write(line);
	});
	const steps = stepsOf(plan);
	if (failure === undefined) {
		process.stdout.write(`done: ${done} of ${steps.length} changes\n`);
		return 0;
	}
	complain(failure, 1);
	const left = steps.slice(done);
	for (const step of left) process.stderr.write(`not done: ${step.action} ${titleOf(step)}\n`);
	const rest = atomic ? "nothing was changed" : `${done} of ${steps.length} changes were made`;
	return complain(`${rest}; the command can be run again, and does then what is left`, 1);
}
