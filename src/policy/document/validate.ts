/**
 * Finds every problem of a policy document (contract 3) at once: problems that its schema sees, and problems that take
 * a phase, several values or a compiler. Called by `threads/policy-check.ts` for the management API, and by the
 * commands `weir check` and `weir serve --demo`.
 */
import type { Phase } from "../../cel/expression.ts";
import { pointerTo } from "../../documents/json-position.ts";
import { quoted, suggestion } from "../../documents/nearest.ts";
import { asProblems, type Finding, findings } from "../../documents/problems.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { ACTION_TYPES, actionOf, isActionType } from "../actions/table.ts";
import type { Surroundings } from "../lint/empty-variables.ts";
import { InspectingCompiler } from "../lint/inspecting-compiler.ts";
import { lint, type Warning } from "../lint/lint.ts";
import type { Compiler } from "../programs/compiler.ts";
import { explained } from "../programs/problem.ts";
import type { ExpressionErrors } from "../rules/evaluate.ts";
import { listsNamedIn, type NamedList } from "./address-lists.ts";
import { withinBounds } from "./bounds.ts";
import { asItIs, moduleForm } from "./dialects.ts";
import { remedyFor } from "./lacking-actions.ts";
import { LeftBehind } from "./left-behind.ts";
import { isObject, isText, member } from "./members.ts";
import {
	besideTypeSchema,
	type PolicyDocument,
	type PolicyLimits,
	policySchema,
} from "./schema.ts";
import { usualPolicy } from "./usual.ts";
import { bare, type Unwrapped, unwrapped } from "./wrappers.ts";

export interface ValidPolicy {
	/** with its defaults, ready to be stored */
	readonly document: PolicyDocument;
	/** where it stood in what was submitted: `["module"]` within a wrapper */
	readonly place: Path;
	readonly warnings: readonly Warning[];
	/** stored address lists that it names, with places as submitted */
	readonly addressLists: readonly NamedList[];
}

/** Plain data, so that it can cross between threads. */
export interface ValidationOptions extends PolicyLimits {
	/** the configuration of a running server; absent offline, where fewer warnings are possible */
	readonly around?: Surroundings;
	/** how tests are run: as that server would run the policy; absent: by the defaults */
	readonly running?: Running;
}

/** What of the configuration decides how a policy runs. */
export interface Running {
	readonly expressionErrors: ExpressionErrors;
	/** how many bits of an IPv6 address rate-limits count */
	readonly ipv6Prefix: number;
}

type Path = readonly PropertyKey[];

/** By which a policy, bare or wrapped, is told from other documents. */
export const POLICY_FIELDS: readonly string[] = [...Object.keys(policySchema.shape), "module"];

/**
 * Never throws, whatever `value` is. Takes the policy bare or in one of its wrappers; pointers are relative to `value`, so
 * they start with `/module` or `/value` if it is wrapped.
 */
export function validatePolicy(value: unknown, limits: ValidationOptions): Result<ValidPolicy> {
	const found: Finding[] = [];
	const usual = usualPolicy(value, limits);
	const sent = usual === undefined ? unwrapped(value) : bare(value);
	const form = usual === undefined ? moduleForm(sent.policy) : asItIs(value);
	const policy = usual === undefined ? withinBounds(form.policy, limits, found) : value;
	const compiler = new InspectingCompiler(limits.around);
	const before = new LeftBehind();
	compiler.placedBehind(before);
	checkRules(policy, compiler, before, found);
	compiler.placedBehind(undefined);
	const shaped = shapedPolicy(policy, usual, sent);
	const repeated = new Set(found.map(({ path }) => pointerTo(path)));
	// the checks here know more than the schema: where both find a problem, the schema's is dropped
	const all = shaped.ok
		? found
		: found.concat(shaped.error.filter(({ path }) => !repeated.has(pointerTo(path))));
	const placed = (path: Path): Path => [...sent.place, ...form.submitted(path)];
	if (!shaped.ok || all.length + sent.found.length + form.found.length > 0) {
		const inside = all.map((finding) => ({ ...finding, path: placed(finding.path) }));
		const about = form.found.map((finding) => ({
			...finding,
			path: [...sent.place, ...finding.path],
		}));
		return fail(asProblems([...sent.found, ...about, ...inside], sent.whole));
	}
	const { value: document } = shaped;
	const addressLists = listsNamedIn(document, placed);
	const warnings = lint(document, compiler, placed);
	return ok({ document, place: sent.place, warnings, addressLists });
}

/** By the schema, unless that is known; of a text that can't be read, there is nothing more to say. */
function shapedPolicy(
	policy: unknown,
	usual: PolicyDocument | undefined,
	{ policy: submitted, found }: Unwrapped,
): Result<PolicyDocument, readonly Finding[]> {
	if (usual !== undefined) return ok(usual);
	if (submitted === undefined && found.length > 0) return fail([]);
	return findings(policySchema, policy, (path) => isInSealed(policy, path));
}

/** Is it in the config of an action with secrets? */
function isInSealed(policy: unknown, path: Path): boolean {
	if (path[4] !== "config") return false;
	let action = policy;
	for (const part of path.slice(0, 4)) {
		if (Array.isArray(action)) action = action[Number(part)];
		else action = isObject(action) ? member(action, String(part)) : undefined;
	}
	return hasSecrets(action);
}

/** Does its config hold texts that nobody may repeat? */
function hasSecrets(action: unknown): boolean {
	const type = isObject(action) ? member(action, "type") : undefined;
	return isActionType(type) && actionOf(type).seal !== undefined;
}

function checkRules(
	policy: unknown,
	compiler: Compiler,
	before: LeftBehind,
	found: Finding[],
): void {
	if (!isObject(policy)) return;
	for (const phase of ["inbound", "outbound"] as const) {
		const rules = member(policy, phase);
		for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
			if (!isObject(rule)) continue;
			checkExpressions(member(rule, "expressions"), phase, [phase, index], compiler, found);
			checkActions(member(rule, "actions"), phase, [phase, index], compiler, before, found);
		}
	}
}

function checkExpressions(
	expressions: unknown,
	phase: Phase,
	rule: Path,
	compiler: Compiler,
	found: Finding[],
): void {
	for (const [index, source] of (Array.isArray(expressions) ? expressions : []).entries()) {
		if (!isText(source, LIMITS.expressionBytes)) continue;
		const compiled = compiler.predicate(source, phase);
		if (compiled.ok) continue;
		const path = [...rule, "expressions", index];
		for (const problem of compiled.error) {
			found.push({ path, code: problem.code, message: explained(problem) });
		}
	}
}

function checkActions(
	actions: unknown,
	phase: Phase,
	rule: Path,
	compiler: Compiler,
	before: LeftBehind,
	found: Finding[],
): void {
	let ended: string | undefined;
	for (const [index, action] of (Array.isArray(actions) ? actions : []).entries()) {
		const path = [...rule, "actions", index];
		if (ended !== undefined) {
			const message = `can never run: it comes after ${ended} in the same rule; put it before`;
			found.push({ path, code: "unreachable_action", message });
		}
		if (!isObject(action)) continue;
		const type = member(action, "type");
		if (!isActionType(type) || !ACTION_TYPES[phase].includes(type)) {
			// what is no text is the schema's to tell
			if (typeof type === "string") {
				found.push({ path: [...path, "type"], ...wrongType(type, phase) });
			}
			found.push(...besideType(action, path));
			continue;
		}
		if (actionOf(type).ends.when === "always") ended ??= type;
		const config = member(action, "config") ?? {};
		// of a config that is no object the schema says all there is to say
		const prepared = isObject(config) ? actionOf(type).prepare(config, phase, compiler) : undefined;
		before.ran(type);
		if (prepared === undefined || prepared.ok) continue;
		for (const { path: field, ...problem } of prepared.error) {
			found.push({ path: [...path, "config", ...field], ...problem });
		}
	}
}

function besideType(action: Readonly<Record<string, unknown>>, place: Path): readonly Finding[] {
	const type = member(action, "type");
	const isSecret = ([field]: Path): boolean => field === "config" && hasSecrets(action);
	const schema = besideTypeSchema(isActionType(type) ? type : undefined);
	const checked = findings(schema, action, isSecret);
	if (checked.ok) return [];
	// What is missing in it is missed by nobody: it has to go, or to become another.
	const there = checked.error.filter(({ code }) => code !== "required");
	return there.map((finding) => ({ ...finding, path: [...place, ...finding.path] }));
}

function wrongType(type: string, phase: Phase): { code: string; message: string } {
	const valid = ACTION_TYPES[phase];
	if (isActionType(type)) {
		const phases = actionOf(type).phases.join(" and ");
		const message = `"${type}" exists in ${phases} rules only; ${phase} rules may have ${valid.join(", ")}`;
		return { code: "wrong_phase", message };
	}
	const remedy = remedyFor(type);
	if (remedy !== undefined) {
		const message = `unknown action type ${quoted(type)}: weir has no such action; ${remedy}. Valid: ${valid.join(", ")}`;
		return { code: "unknown_action", message };
	}
	const meant = suggestion(type, valid);
	const rest = `${meant === "" ? ";" : meant} ${meant === "" ? "valid" : "Valid"}: ${valid.join(", ")}`;
	return { code: "unknown_action", message: `unknown action type ${quoted(type)}${rest}` };
}
