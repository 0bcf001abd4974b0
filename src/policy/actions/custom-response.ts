/** custom-response (contract 5): answers instead of the upstream, or replaces its answer. */
import { asciiLowerCase } from "../../ascii.ts";
import type { Phase, Settled, Suspension, Template } from "../../cel/expression.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { FRAMING, HOP_BY_HOP, isFieldName, isFieldValue } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { FAILED } from "../outcomes.ts";
import type { Compiler, FieldProblem } from "../programs/compiler.ts";
import { isObject, isText, member, type Prepare, type RunnableAction, rendered } from "./action.ts";
import { contentTypeOf } from "./custom-response/content-type.ts";

const DEFAULT_STATUS_CODE = 200;

interface Header {
	readonly name: string;
	readonly value: Template;
}

interface Answer {
	readonly statusCode: number;
	readonly content: Template;
	readonly headers: readonly Header[];
	readonly hasContentType: boolean;
}

export const prepareCustomResponse: Prepare = (config, phase, compiler) => {
	const submitted = member(config, "content");
	const text = isText(submitted, LIMITS.contentBytes) ? submitted : "";
	const content = compiler.field(text, phase, ["content"]);
	const headers = prepareHeaders(config, phase, compiler);
	if (!content.ok || !headers.ok) {
		return fail([...(content.ok ? [] : content.error), ...(headers.ok ? [] : headers.error)]);
	}
	const statusCode = member(config, "status_code");
	const answer: Answer = {
		statusCode: typeof statusCode === "number" ? statusCode : DEFAULT_STATUS_CODE,
		content: content.value,
		headers: headers.value,
		hasContentType: headers.value.some(({ name }) => asciiLowerCase(name) === "content-type"),
	};
	return ok(({ place }) => new CustomResponse(answer, place));
};

function prepareHeaders(
	config: Readonly<Record<string, unknown>>,
	phase: Phase,
	compiler: Compiler,
): Result<readonly Header[], readonly FieldProblem[]> {
	const problems: FieldProblem[] = [];
	const headers: Header[] = [];
	const seen = new Set<string>();
	const submitted = member(config, "headers");
	const entries = Object.entries(isObject(submitted) ? submitted : {}).map(([name, text]) => ({
		name,
		text,
		path: ["headers", name],
	}));
	const contentType = member(config, "content_type");
	if (contentType !== undefined) {
		entries.push({ name: "content-type", text: contentType, path: ["content_type"] });
	}
	for (const { name, text, path } of entries) {
		const refused = refusal(name, text, seen);
		if (refused !== undefined) problems.push({ path, code: "invalid_header", message: refused });
		seen.add(asciiLowerCase(name));
		if (!isText(text, LIMITS.headerValueBytes)) continue;
		const value = compiler.field(text, phase, path);
		if (!value.ok) problems.push(...value.error);
		else headers.push({ name, value: value.value });
	}
	return problems.length > 0 ? fail(problems) : ok(headers);
}

function refusal(name: string, value: unknown, seen: ReadonlySet<string>): string | undefined {
	const lower = asciiLowerCase(name);
	if (!isFieldName(name)) return `${quoted(name)} is no header name`;
	if (FRAMING.has(lower)) return `${quoted(name)} frames the response; the server writes it`;
	if (HOP_BY_HOP.has(lower)) return `${quoted(name)} is a hop-by-hop header; it can't be set`;
	if (seen.has(lower)) return `${quoted(name)} is given twice; header names ignore case`;
	if (typeof value !== "string" || isFieldValue(value)) return undefined;
	return `the value of ${quoted(name)} holds a line break, NUL or another control character`;
}

class CustomResponse implements RunnableAction {
	readonly #answer: Answer;
	readonly #place: Place;
	/** the whole outcome if no part of it depends on the request */
	readonly #fixed: Outcome | undefined;

	constructor(answer: Answer, place: Place) {
		this.#answer = answer;
		this.#place = place;
		const literals = [answer.content, ...answer.headers.map(({ value }) => value)];
		if (literals.some(({ literal }) => literal === undefined)) return;
		const headers = answer.headers.map(({ name, value }) => [name, value.literal ?? ""] as const);
		this.#fixed = Object.freeze(this.#respond(answer.content.literal ?? "", headers));
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		if (this.#fixed !== undefined) return this.#fixed;
		const content = rendered(this.#answer.content, exchange, this.#place, settled);
		if (typeof content !== "string") return content;
		const headers: (readonly [string, string])[] = [];
		for (let index = 0; index < this.#answer.headers.length; index++) {
			const header = this.#answer.headers[index];
			if (header === undefined) continue;
			const value = rendered(header.value, exchange, this.#place, settled);
			if (typeof value !== "string") return value;
			if (!isFieldValue(value) || Buffer.byteLength(value) > LIMITS.headerValueBytes) {
				const message = `the value of header "${header.name}" can't be sent`;
				exchange.expressionFailed(this.#place, message);
				return FAILED;
			}
			headers.push([header.name, value]);
		}
		return this.#respond(content, headers);
	}

	#respond(content: string, headers: (readonly [string, string])[]): Outcome {
		if (!this.#answer.hasContentType) headers.push(["content-type", contentTypeOf(content)]);
		return { kind: "respond", statusCode: this.#answer.statusCode, headers, content };
	}
}
