/**
 * What a policy may come in (contract 3, "Forms"): `{"module": …}`, the envelope of published clients `{"enabled"?,
 * "value"}` whose `value` is the policy's text, or that with a module in its text. Used by `validate.ts`, and by whoever
 * has to say what a file was taken for.
 */
import { quoted } from "../../documents/nearest.ts";
import { described } from "../../documents/problem-sentences.ts";
import type { Finding } from "../../documents/problems.ts";
import { readDocument } from "../../documents/read-document.ts";
import { isObject, member } from "./members.ts";

type Members = Readonly<Record<string, unknown>>;
type Path = readonly PropertyKey[];

export type Wrapper = "module" | "value";

const BESIDE: Readonly<Record<Wrapper, readonly string[]>> = {
	module: ["edge_id", "id"],
	value: ["enabled"],
};

/** Undefined: the policy stands there itself, or what should be one. */
export function wrapperOf(value: unknown): Wrapper | undefined {
	if (!isObject(value)) return undefined;
	if (Object.hasOwn(value, "module")) return "module";
	const text = member(value, "value");
	return text === undefined || text === null ? undefined : "value";
}

export interface Unwrapped {
	/** whatever was submitted as one; undefined: `found` says why it can't be read */
	readonly policy: unknown;
	/** where it stands in what was submitted */
	readonly place: Path;
	/** what is wrong outside of it, with places as submitted */
	readonly found: readonly Finding[];
	/** what was submitted, with what its text says in the place of the text */
	readonly whole: unknown;
}

/** Of a policy that stands there itself. */
export const bare = (policy: unknown): Unwrapped => ({
	policy,
	place: [],
	found: [],
	whole: policy,
});

/** Never throws. */
export function unwrapped(value: unknown): Unwrapped {
	const wrapper = wrapperOf(value);
	if (wrapper === undefined || !isObject(value)) return bare(value);
	const found = beside(value, wrapper);
	if (wrapper === "module") return { policy: value.module, place: ["module"], found, whole: value };
	if (typeof value.value !== "string") {
		const message = `expected a string, got ${described(value.value)}`;
		return unread([...found, { path: ["value"], code: "wrong_type", message }]);
	}
	const parsed = readDocument("", Buffer.from(value.value));
	if (!parsed.ok) {
		const { line, column } = parsed.error;
		const message = `line ${line}, column ${column}: ${parsed.error.message}`;
		return unread([...found, { path: ["value"], code: "invalid_text", message }]);
	}
	const text = parsed.value.value;
	const inner = wrapperOf(text) === "module" ? unwrapped(text) : bare(text);
	const place: Path = ["value", ...inner.place];
	const within = inner.found.map((each) => ({ ...each, path: ["value", ...each.path] }));
	const said = saidOutside(inner.policy, member(value, "enabled"));
	const whole = { ...value, value: text };
	return { policy: said.policy, place, found: [...found, ...within, ...said.found], whole };
}

const unread = (found: readonly Finding[]): Unwrapped => ({
	policy: undefined,
	place: ["value"],
	found,
	whole: undefined,
});

/** `enabled` beside the text is as if it stood in it. */
function saidOutside(policy: unknown, enabled: unknown): Pick<Unwrapped, "policy" | "found"> {
	if (typeof enabled !== "boolean" || !isObject(policy)) return { policy, found: [] };
	if (!enabled) return { policy: { ...policy, enabled }, found: [] };
	return { policy, found: member(policy, "enabled") === false ? [ENABLED_AND_NOT] : [] };
}

export const ENABLED_AND_NOT = {
	path: ["enabled"],
	code: "mixed_forms",
	message: '"enabled" is true beside "value" and false in it; say it once',
};

/** Other members; `null` is as if it were not there. */
function beside(value: Members, wrapper: Wrapper): readonly Finding[] {
	return Object.entries(value).flatMap(([name, given]) => {
		if (name === wrapper) return [];
		if (!BESIDE[wrapper].includes(name)) {
			const message = `unknown field ${quoted(name)} beside "${wrapper}"`;
			return [{ path: [name], code: "unknown_field", message }];
		}
		const wanted = wrapper === "module" ? "string" : "boolean";
		if (given === null || typeof given === wanted) return [];
		const message = `expected a ${wanted}, got ${described(given)}`;
		return [{ path: [name], code: "wrong_type", message }];
	});
}
