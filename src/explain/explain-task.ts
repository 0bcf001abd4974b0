/**
 * The program of the thread that explains: reads questions, and answers them with what `explainer.ts` brings. Policies that
 * were made ready are kept, by their etag, and so are address lists, by theirs.
 */
import type { Config } from "../config.ts";
import type { SeenRequest } from "../edge/seen/seen-request.ts";
import type { Services } from "../edge/services.ts";
import { fail, ok, type Result } from "../errors.ts";
import { addressRangeOf } from "../http/address-range.ts";
import { type AddressSet, AddressSetBuilder } from "../http/address-set.ts";
import { LIMITS } from "../limits/limits.ts";
import type { AddressLists } from "../policy/address-lists.ts";
import type { PolicyDocument } from "../policy/document/schema.ts";
import type { LimitAnswer, LimitQuestion } from "../policy/trace/asked-limits.ts";
import { type TraceablePolicy, traceablePolicy } from "../policy/trace/traced-policy.ts";
import type { RouteDocument } from "../store/resources.ts";
import { type AskedRequest, askedRequest } from "./asked-request.ts";
import { explain } from "./explain.ts";
import { servicesFor } from "./explain-services.ts";
import { redacted } from "./live/redacted.ts";
import { seenAsked } from "./live/seen-question.ts";
import type { ChosenRoute, ExplainQuestion, Explanation, NearRoute } from "./shapes.ts";

/** Plain data. */
export interface ExplainTask {
	readonly question: Omit<ExplainQuestion, "policy">;
	readonly config: Config;
	readonly route: (ChosenRoute & { readonly document: RouteDocument }) | undefined;
	readonly near: readonly NearRoute[];
	/** `key` names this very content */
	readonly policy: { readonly document: PolicyDocument; readonly key: string } | undefined;
	readonly source: Explanation["policy"]["source"];
	readonly etag: string | null;
	/** stored lists that the policy names; entries of those that the thread has asked for */
	readonly lists: readonly { name: string; readonly key: string; entries?: string | undefined }[];
	readonly limits: readonly (readonly [key: string, answer: LimitAnswer])[];
	readonly nowMs: number;
	/** the real request that it is about, which the question then repeats; undefined: nobody has sent it */
	readonly seen?: SeenRequest | undefined;
}

export type ExplainAnswer =
	| { readonly explanation: Explanation }
	/** to be asked again with these */
	| { readonly limits: readonly LimitQuestion[] }
	| { readonly lists: readonly string[] }
	| { readonly problem: string };

let services: { readonly key: string; readonly made: Promise<Services> } | undefined;
const policies = new Map<string, TraceablePolicy>();
const lists = new Map<string, AddressSet>();

export default async (task: ExplainTask): Promise<ExplainAnswer> => {
	const missing = task.lists.filter(({ key, entries }) => !lists.has(key) && entries === undefined);
	if (missing.length > 0) return { lists: missing.map(({ name }) => name) };
	const { question, config, policy } = task;
	const { seen } = task;
	const asked = seen === undefined ? askedRequest(question.request, config) : askedBy(seen, config);
	if (!asked.ok) return { problem: asked.error };
	const untilMs = performance.now() + LIMITS.explainWorkMs;
	const outcome = explain({
		...task,
		seen,
		asked: asked.value,
		services: await servicesOf(config),
		policy:
			policy &&
			kept(policies, policy.key, LIMITS.explainPoliciesKept, () =>
				traceablePolicy(policy.document),
			),
		lists: listsOf(task.lists),
		limits: new Map(task.limits),
		goesOn: () => performance.now() < untilMs,
	});
	if ("asked" in outcome) return { limits: outcome.asked };
	return seen === undefined ? outcome : { explanation: redacted(outcome.explanation, seen) };
};

function askedBy(seen: SeenRequest, config: Config): Result<AskedRequest, string> {
	const asked = seenAsked(seen, config);
	return asked === undefined ? fail("there is no listener any more") : ok(asked);
}

function servicesOf(config: Config): Promise<Services> {
	const key = JSON.stringify(config);
	if (services?.key !== key) services = { key, made: servicesFor(config) };
	return services.made;
}

/** The last used are kept. */
function kept<T>(memory: Map<string, T>, key: string, most: number, make: () => T): T {
	const value = memory.get(key) ?? make();
	memory.delete(key);
	memory.set(key, value);
	const [oldest] = memory.keys();
	if (memory.size > most && oldest !== undefined) memory.delete(oldest);
	return value;
}

function listsOf(given: ExplainTask["lists"]): AddressLists {
	const sets = new Map(
		given.map(({ name, key, entries }) => [
			name,
			{ set: kept(lists, key, LIMITS.explainListsKept, () => setOf(entries ?? "")) },
		]),
	);
	return { find: (name) => sets.get(name) };
}

/** @param entries as they are stored */
function setOf(entries: string): AddressSet {
	const builder = new AddressSetBuilder();
	for (const text of entries === "" ? [] : entries.split(" ")) {
		const range = addressRangeOf(text);
		if (range.ok) builder.add(range.value);
	}
	return builder.finish();
}
