/**
 * Turns the issues of a schema into problems that people can act on (contract 2 "Errors", contract 3
 * "Strict"): one entry per mistake with its RFC 6901 pointer, in the document's order, with the nearest
 * valid name. Called wherever something from outside meets a zod schema: policies, edges, routes, config.
 */
import type { z } from "zod";
import { fail, ok, type Problem, type Result } from "../errors.ts";
import { LIMITS } from "../limits/limits.ts";
import { pointerTo } from "./json-position.ts";
import { quoted, suggestion } from "./nearest.ts";
import { type Issue, sentenceFor } from "./problem-sentences.ts";

export { nearest } from "./nearest.ts";

/** Where a mistake sits; kept as a path until the problems are sorted. */
export interface Finding {
	readonly path: readonly PropertyKey[];
	readonly code: string;
	/** made when it is needed: of a hundred thousand unknown fields only the first hundred are shown */
	readonly message: string | (() => string);
}

/** Checks `value` against `schema`; all problems at once, in the order of the document. Never throws. */
export function check<T>(schema: z.ZodType<T>, value: unknown): Result<T> {
	const checked = findings(schema, value);
	return checked.ok ? checked : fail(asProblems(checked.error, value));
}

/**
 * Like `check`, with problems that can still be joined with others before `asProblems` sorts them.
 * @param isSecret of a place whose text no sentence may repeat
 */
export function findings<T>(
	schema: z.ZodType<T>,
	value: unknown,
	isSecret: (path: readonly PropertyKey[]) => boolean = () => false,
): Result<T, readonly Finding[]> {
	const names = new WeakMap<object, readonly string[]>();
	const result = schema.safeParse(value, {
		// zod drops the schema from finished issues; the names it knows are noted while it is there
		error: (issue) => {
			if (issue.code === "unrecognized_keys") names.set(issue.keys, namesOf(issue.inst));
			return undefined;
		},
	});
	if (result.success) return ok(result.data);
	const found: Finding[] = [];
	for (const issue of result.error.issues) collect(issue, [], value, names, found);
	return fail(
		found.map((finding) =>
			isSecret(finding.path) ? unrepeated(finding, valueAt(value, finding.path)) : finding,
		),
	);
}

function namesOf(schema: unknown): readonly string[] {
	const shape = (schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape;
	return Object.keys(shape ?? {});
}

function collect(
	issue: Issue,
	base: readonly PropertyKey[],
	root: unknown,
	names: WeakMap<object, readonly string[]>,
	found: Finding[],
): void {
	const path = [...base, ...issue.path];
	if (issue.code === "unrecognized_keys") {
		const valid = names.get(issue.keys) ?? [];
		for (const key of issue.keys) {
			const message = () => `unknown field ${quoted(key)}${suggestion(key, valid) || list(valid)}`;
			found.push({ path: [...path, key], code: "unknown_field", message });
		}
		return;
	}
	const branch = issue.code === "invalid_union" ? likeliestBranch(issue.errors) : undefined;
	if (branch !== undefined) {
		for (const inner of branch) collect(inner, path, root, names, found);
		return;
	}
	found.push({ path, ...sentenceFor(issue, valueAt(root, path)) });
}

function unrepeated(finding: Finding, value: unknown): Finding {
	const { message } = finding;
	if (typeof value !== "string" || typeof message !== "string") return finding;
	const text = quoted(value);
	if (!message.includes(text)) return finding;
	const shown = message.replaceAll(`the string ${text}`, "a string").replaceAll(` ${text}`, "");
	return { ...finding, message: `${shown} (not repeated here, as it may hold a secret)` };
}

const list = (valid: readonly string[]): string =>
	valid.length === 0 ? "" : `; valid here: ${valid.join(", ")}`;

/** The alternative whose outermost type fits what came; undefined if none does. */
function likeliestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
	return branches.find((issues) =>
		issues.every((issue) => issue.path.length > 0 || !isType(issue)),
	);
}

const isType = (issue: Issue): boolean =>
	issue.code === "invalid_type" || issue.code === "invalid_value";

/** Follows own properties only; undefined where the path leaves the document. */
function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
	let value = root;
	for (const part of path) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, part))
			return undefined;
		value = (value as Record<PropertyKey, unknown>)[part];
	}
	return value;
}

/** Sorts findings as they appear in `root`, drops repetitions and bounds their number. */
export function asProblems(found: readonly Finding[], root: unknown): readonly Problem[] {
	const ordered = inDocumentOrder(found, root);
	const most = LIMITS.problemsPerDocument;
	const shown = ordered.length <= most ? ordered : ordered.slice(0, most - 1);
	const problems = shown.map(({ path, code, message }) => ({
		pointer: pointerTo(path),
		code,
		message: typeof message === "string" ? message : message(),
	}));
	const rest = ordered.length - shown.length;
	if (rest > 0) {
		problems.push({ pointer: "", code: "more_problems", message: `and ${rest} more problems` });
	}
	return problems;
}

/** Order of members in each object met; computed once per object, however many findings it holds. */
function inDocumentOrder(found: readonly Finding[], root: unknown): readonly Finding[] {
	const orders = new Map<object, Map<string, number>>();
	const positions = (path: readonly PropertyKey[]): number[] => {
		let value = root;
		return path.map((part) => {
			const parent = value;
			value = valueAt(parent, [part]);
			if (typeof part === "number") return part;
			return typeof parent === "object" && parent !== null
				? (orderOf(orders, parent).get(String(part)) ?? Number.MAX_SAFE_INTEGER)
				: 0;
		});
	};
	return found
		.map((finding) => ({ finding, at: positions(finding.path) }))
		.sort((one, other) => compare(one.at, other.at))
		.map(({ finding }) => finding);
}

function orderOf(orders: Map<object, Map<string, number>>, parent: object): Map<string, number> {
	let order = orders.get(parent);
	if (order === undefined) {
		order = new Map(Object.keys(parent).map((key, index) => [key, index]));
		orders.set(parent, order);
	}
	return order;
}

function compare(one: readonly number[], other: readonly number[]): number {
	for (let index = 0; index < one.length && index < other.length; index++) {
		const difference = (one[index] ?? 0) - (other[index] ?? 0);
		if (difference !== 0) return difference;
	}
	return one.length - other.length;
}
