/**
 * Other spellings of policy documents that are published (contract 3, "Forms"): they are brought into the form in which
 * documents are stored and answered, and what is found there is told with the names that were submitted. Asked by
 * `validate.ts` before anything else.
 */

import type { Phase } from "../../cel/expression.ts";
import { quoted } from "../../documents/nearest.ts";
import type { Finding } from "../../documents/problems.ts";
import { isObject, member } from "./members.ts";

type Members = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

const PHASES: ReadonlyMap<string, Phase> = new Map([
	["on_http_request", "inbound"],
	["on_http_response", "outbound"],
]);
const CONNECTIONS = "on_tcp_connect";
const SPELLINGS: ReadonlySet<string> = new Set([...PHASES].flat()).add(CONNECTIONS);

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

export interface ModuleForm {
	readonly policy: unknown;
	/** with places as submitted */
	readonly found: readonly Finding[];
	/** The place, as submitted, of a place in `policy`. */
	submitted(path: Path): Path;
}

/** @param policy whatever was submitted, out of its wrapper */
export function moduleForm(policy: unknown): ModuleForm {
	if (!isObject(policy) || isInOwnForm(policy)) return asItIs(policy);
	const found: Finding[] = [];
	const names = new Map<string, string>();
	const copy: Record<string, unknown> = {};
	const ownKeys = [...PHASES.values()].filter((phase) => isPresent(member(policy, phase)));
	for (const [name, value] of Object.entries(policy)) {
		const phase = PHASES.get(name);
		// `null` is as if it were not there, in either spelling.
		if (value === null && SPELLINGS.has(name)) continue;
		if (name === CONNECTIONS) found.push({ path: [name], ...NO_CONNECTIONS });
		else if (phase === undefined) copy[name] = value;
		else if (ownKeys.length > 0)
			found.push({ path: [name], ...mixed(name, ownKeys.join('" and "')) });
		else {
			copy[phase] = value;
			names.set(phase, name);
		}
	}
	const bodies = new Set<string>();
	for (const phase of PHASES.values()) {
		const rules = member(copy, phase);
		if (!Array.isArray(rules)) continue;
		const at = names.get(phase) ?? phase;
		copy[phase] = rules.map((rule: unknown, index) =>
			moduleRule(rule, [at, index], (action) => bodies.add(`${phase} ${index} ${action}`), found),
		);
	}
	return { policy: copy, found, submitted: (path) => submittedPath(path, names, bodies) };
}

/** Of a policy that is in weir's own form. */
export const asItIs = (policy: unknown): ModuleForm => ({
	policy,
	found: [],
	submitted: asSubmitted,
});

const asSubmitted = (path: Path): Path => path;

/** As most are. */
function isInOwnForm(policy: Members): boolean {
	if (Object.hasOwn(policy, CONNECTIONS)) return false;
	for (const [name, phase] of PHASES) {
		if (Object.hasOwn(policy, name)) return false;
		const rules = member(policy, phase);
		if (Array.isArray(rules) && rules.some(mayHaveBody)) return false;
	}
	return true;
}

function mayHaveBody(rule: unknown): boolean {
	const actions = isObject(rule) ? member(rule, "actions") : undefined;
	if (!Array.isArray(actions)) return false;
	return actions.some((action: unknown) => {
		const config = isObject(action) ? member(action, "config") : undefined;
		return isObject(config) && Object.hasOwn(config, "body");
	});
}

const NO_CONNECTIONS = {
	code: "unsupported_phase",
	message:
		"connections carry no policy here; restrict-ips and deny in on_http_request do it, before any backend is asked",
};

const mixed = (name: string, other: string) => ({
	code: "mixed_forms",
	message: `${quoted(name)} and "${other}" are two forms of one thing; write all of it in one of them`,
});

function moduleRule(
	rule: unknown,
	path: Path,
	hasBody: (action: number) => void,
	found: Finding[],
): unknown {
	const actions = isObject(rule) ? member(rule, "actions") : undefined;
	if (!isObject(rule) || !Array.isArray(actions)) return rule;
	let isChanged = false;
	const changed = actions.map((action: unknown, index) => {
		const config = isObject(action) ? member(action, "config") : undefined;
		if (!isObject(action) || !isObject(config) || !Object.hasOwn(config, "body")) return action;
		if (member(action, "type") !== "custom-response") return action;
		isChanged = true;
		const { body, ...others } = config;
		if (body === null) return { ...action, config: others };
		if (isPresent(member(config, "content"))) {
			const at = [...path, "actions", index, "config", "body"];
			found.push({ path: at, ...mixed("body", "content") });
			return { ...action, config: others };
		}
		hasBody(index);
		return { ...action, config: { ...others, content: body } satisfies Members };
	});
	return isChanged ? { ...rule, actions: changed } : rule;
}

function submittedPath(
	path: Path,
	names: ReadonlyMap<string, string>,
	bodies: ReadonlySet<string>,
): Path {
	const [phase, rule, actions, action, config, field, ...rest] = path;
	if (typeof phase !== "string") return path;
	const name = names.get(phase) ?? phase;
	const isBody =
		actions === "actions" &&
		config === "config" &&
		field === "content" &&
		bodies.has(`${phase} ${String(rule)} ${String(action)}`);
	if (!isBody) return [name, ...path.slice(1)];
	return [name, rule ?? 0, actions, action ?? 0, config, "body", ...rest];
}
