/**
 * Carries a plan out, step by step or as one transaction, and says what was done and, after a failure, what was not.
 * Called by process/commands/apply-command.ts.
 */
import { type ApiAnswer, type ApiClient, ApiFailure, inWords } from "../api/api-client.ts";
import { type Plan, stepsOf } from "./plan.ts";
import { pathOf, titleOf } from "./resources.ts";
import type { Step } from "./step.ts";

type Client = Pick<ApiClient, "send">;

export interface PlanRun {
	readonly done: number;
	/** sentences; undefined: all was done */
	readonly failure: string | undefined;
}

const DONE: Readonly<Record<Step["action"], string>> = {
	create: "created",
	change: "changed",
	delete: "deleted",
};

/**
 * @param atomic all steps in one transaction
 * @param say told a line for each step that is done
 */
export async function runPlan(
	client: Client,
	plan: Plan,
	atomic: boolean,
	say: (line: string) => void,
): Promise<PlanRun> {
	const batches = atomic ? [stepsOf(plan)] : plan.batches;
	let done = 0;
	for (const batch of batches) {
		if (batch.length === 0) continue;
		const failure = await runBatch(client, batch, atomic);
		if (failure !== undefined) return { done, failure };
		for (const step of batch) say(`${DONE[step.action]} ${titleOf(step)}\n`);
		done += batch.length;
	}
	return { done, failure: undefined };
}

/** @returns what went wrong */
async function runBatch(
	client: Client,
	batch: readonly Step[],
	atomic: boolean,
): Promise<string | undefined> {
	const [only, ...others] = batch;
	if (only === undefined) return undefined;
	try {
		const answer =
			others.length === 0 && !atomic
				? await runStep(client, only)
				: await runTogether(client, batch);
		if (answer.status < 300) return undefined;
		if (answer.status === 412 && others.length === 0)
			return `the ${titleOf(only)} was changed by somebody else meanwhile; run the command again to see how it is now`;
		const what = others.length === 0 ? `the ${titleOf(only)}` : `${batch.length} changes together`;
		return `${what}: ${inWords(answer)}`;
	} catch (error) {
		// the answer may have been lost behind a change that was made
		if (error instanceof ApiFailure) return `the ${titleOf(only)}: ${error.message}`;
		throw error;
	}
}

/** Nobody else's change is overwritten that the difference did not show. */
function conditionOf({ action, etag }: Step): {
	name: "if-match" | "if-none-match";
	value: string;
} {
	if (action === "create") return { name: "if-none-match", value: "*" };
	return { name: "if-match", value: etag ?? "*" };
}

function runStep(client: Client, step: Step): Promise<ApiAnswer> {
	const { name, value } = conditionOf(step);
	const method = step.action === "delete" ? "DELETE" : "PUT";
	return client.send(method, pathOf(step), step.after, { [name]: value });
}

function runTogether(client: Client, batch: readonly Step[]): Promise<ApiAnswer> {
	const operations = batch.map((step) => {
		const { name, value } = conditionOf(step);
		const condition = { [name === "if-match" ? "if_match" : "if_none_match"]: value };
		return step.action === "delete"
			? { method: "DELETE", path: pathOf(step), ...condition }
			: { method: "PUT", path: pathOf(step), document: step.after, ...condition };
	});
	return client.send("POST", "/transactions", { operations });
}
