/**
 * A rate-limit as it is configured, made of a config as submitted. Prepared by `rate-limit.ts`; read by what runs it,
 * and by `limits-of.ts` for the management API.
 */
import type { Predicate, Template, ValueTemplate } from "../../../cel/expression.ts";
import { quoted } from "../../../documents/nearest.ts";
import { isFieldValue } from "../../../http/fields.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { isText, member } from "../../document/members.ts";
import type { Compiler } from "../../programs/compiler.ts";
import { explained, type FieldProblem } from "../../programs/problem.ts";
import { contentTypeOf } from "../custom-response/content-type.ts";
import { canonicalElement, type KeyElement } from "./bucket-key.ts";
import { formatDuration, parseRate } from "./duration.ts";
import { keyElements } from "./elements.ts";

export const ALGORITHM = "sliding_window";
/** Counts every admitted request. */
export const COUNTS_REQUESTS = "request";
const STATUS_CODE = 429;

export type Told = "none" | "ietf" | "legacy";

/** What a request is worth: known, or by an expression that has the text `source`. */
export type Cost = number | { readonly source: string; readonly value: ValueTemplate };

export interface Rejection {
	readonly statusCode: number;
	readonly content: Template | undefined;
	/** undefined: by the content */
	readonly contentType: string | undefined;
}

export interface Limit {
	readonly name: string;
	readonly capacity: number;
	readonly windowMs: number;
	/** in canonical order: bucket_key is a set */
	readonly elements: readonly KeyElement[];
	readonly enforce: boolean;
	readonly cost: Cost;
	/** undefined: every admitted request is counted */
	readonly counted: { readonly source: string; readonly predicate: Predicate } | undefined;
	/** how many bits of an IPv6 address count; undefined: as the server is configured */
	readonly ipv6Prefix: number | undefined;
	readonly told: Told;
	/** undefined: 429 and its JSON */
	readonly rejection: Rejection | undefined;
}

type Config = Readonly<Record<string, unknown>>;

/** Passes over what the schema reports. */
export function limitOf(config: Config, compiler: Compiler, problems: FieldProblem[]): Limit {
	const name = member(config, "name");
	const given = member(config, "capacity");
	const capacity = typeof given === "number" ? given : LIMITS.capacityMin;
	const rate = member(config, "rate");
	const window = typeof rate === "string" ? parseRate(rate) : undefined;
	const prefix = member(config, "ipv6_prefix");
	const limit: Limit = {
		name: typeof name === "string" ? name : "",
		capacity,
		windowMs: window?.ok ? window.value : LIMITS.rateMinMs,
		elements: keyElements(config, compiler, problems),
		enforce: member(config, "enforce") !== false,
		cost: costOf(config, capacity, compiler, problems),
		counted: countedOf(config, compiler, problems),
		ipv6Prefix: typeof prefix === "number" ? prefix : undefined,
		told: toldOf(member(config, "headers")),
		rejection: rejectionOf(config, compiler, problems),
	};
	if (limit.told === "ietf" && !/^[\x20-\x7e]*$/.test(limit.name)) {
		const message = `${quoted(limit.name)} can't be told to clients: with "headers": "ietf" a name has printable ASCII characters only`;
		problems.push({ path: ["name"], code: "invalid_value", message });
	}
	return limit;
}

const toldOf = (headers: unknown): Told =>
	headers === "ietf" || headers === "legacy" ? headers : "none";

const EXPRESSION = /^\s*\$\{(.*)\}\s*$/s;

function costOf(
	config: Config,
	capacity: number,
	compiler: Compiler,
	problems: FieldProblem[],
): Cost {
	const cost = member(config, "cost");
	const path = ["cost"];
	if (typeof cost === "number") {
		if (cost > capacity) {
			const message = `must be at most the capacity, ${capacity}: no request that costs ${cost} would ever be admitted`;
			problems.push({ path, code: "too_big", message });
		}
		return cost;
	}
	if (!isText(cost, LIMITS.expressionBytes)) return 1;
	const source = EXPRESSION.exec(cost)?.[1]?.trim();
	if (source === undefined) {
		const text = compiler.valueField(cost, "inbound", path);
		if (!text.ok) {
			problems.push(...text.error);
			return 1;
		}
		const message = `expected a whole number or "\${expression}", got the string ${quoted(cost)}`;
		problems.push({ path, code: "wrong_type", message });
		return 1;
	}
	const value = compiler.expressionField(source, "inbound", path);
	if (!value.ok) {
		problems.push(...value.error);
		return 1;
	}
	const { type = "int" } = value.value;
	if (type !== "int" && type !== "dyn") {
		const message = `the expression yields a ${type}, where a cost is an int`;
		problems.push({ path, code: "expression_type", message });
	}
	return { source, value: value.value };
}

function countedOf(config: Config, compiler: Compiler, problems: FieldProblem[]): Limit["counted"] {
	const source = member(config, "count");
	if (!isText(source, LIMITS.expressionBytes) || source === COUNTS_REQUESTS) return undefined;
	const predicate = compiler.predicate(source, "outbound");
	if (predicate.ok) return { source: source.trim(), predicate: predicate.value };
	for (const problem of predicate.error) {
		problems.push({ path: ["count"], code: problem.code, message: explained(problem) });
	}
	return undefined;
}

function rejectionOf(
	config: Config,
	compiler: Compiler,
	problems: FieldProblem[],
): Rejection | undefined {
	const statusCode = member(config, "status_code");
	const given = member(config, "content");
	const contentType = member(config, "content_type");
	if (given === undefined && contentType !== undefined) {
		const message = 'needs "content" beside it: the answer that there is otherwise is JSON';
		problems.push({ path: ["content_type"], code: "required", message });
	}
	if (typeof contentType === "string" && !isFieldValue(contentType)) {
		const message = "holds a line break, NUL or another control character";
		problems.push({ path: ["content_type"], code: "invalid_header", message });
	}
	if (statusCode === undefined && given === undefined) return undefined;
	const content = isText(given, LIMITS.contentBytes)
		? compiler.field(given, "inbound", ["content"])
		: undefined;
	if (content?.ok === false) problems.push(...content.error);
	return {
		statusCode: typeof statusCode === "number" ? statusCode : STATUS_CODE,
		content: content?.ok ? content.value : undefined,
		contentType: typeof contentType === "string" ? contentType : undefined,
	};
}

export const rejectionType = ({ contentType }: Rejection, content: string): string =>
	contentType ?? contentTypeOf(content);

/** The most that one request may be worth; the counters keep room for it. */
export const costMaxOf = ({ cost, capacity }: Limit): number =>
	typeof cost === "number" ? Math.max(cost, 1) : capacity;

/**
 * The text that stands for a limit's configuration in its identity: all fields that change the counting, and the name,
 * by which people tell limits apart. Spelling does not matter (`90s` is `1m30s`), nor does the order of `bucket_key`.
 * `enforce` is left out, so that a limit that was only watched keeps its counts when it is enforced, and so is all that
 * clients are told; `ipv6_prefix` is in the key itself.
 */
export function configurationOf(limit: Limit): string {
	const { name, capacity, windowMs, elements, cost, counted } = limit;
	const rate = formatDuration(windowMs);
	const worth = typeof cost === "number" ? cost : cost.source;
	// A limit that has neither has the identity that it had before there were any.
	const more = worth === 1 && counted === undefined ? [] : [worth, counted?.source ?? null];
	const keys = elements.map(canonicalElement);
	return JSON.stringify([ALGORITHM, capacity, rate, keys, name, ...more]);
}
