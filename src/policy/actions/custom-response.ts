/** custom-response (contract 5): answers instead of the upstream, or replaces its answer. */
import { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import type { Settled, Suspension, Template } from "../../cel/expression.ts";
import { fail, ok } from "../../errors.ts";
import { isFieldValue } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, statusCode, text } from "../document/fields.ts";
import { isText, member } from "../document/members.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { FAILED } from "../outcomes.ts";
import {
	type Action,
	NO_RESULTS,
	type Prepare,
	type PreparedAction,
	type RunnableAction,
} from "./action.ts";
import { contentTypeOf } from "./custom-response/content-type.ts";
import { type Header, prepareHeaders } from "./custom-response/headers.ts";
import { rendered } from "./rendered.ts";

const DEFAULT_STATUS_CODE = 200;

const config = z.strictObject({
	status_code: statusCode.optional().describe(`Default ${DEFAULT_STATUS_CODE}.`),
	content: text(LIMITS.contentBytes).optional().describe(`Body, default empty. ${INTERPOLATED}`),
	headers: z
		.record(z.string(), text(LIMITS.headerValueBytes))
		.meta({ maxProperties: LIMITS.headersPerAction })
		.optional()
		.describe(`Header values by name; no framing or hop-by-hop headers. ${INTERPOLATED}`),
	content_type: text(LIMITS.headerValueBytes)
		.optional()
		.describe("The same as the header content-type, in its place."),
});

type Respond = Extract<Outcome, { kind: "respond" }>;

interface Answer {
	readonly statusCode: number;
	readonly content: Template;
	readonly headers: readonly Header[];
	readonly hasContentType: boolean;
}

const prepare: Prepare = (submitted, phase, compiler) => {
	const given = member(submitted, "content");
	const text = isText(given, LIMITS.contentBytes) ? given : "";
	const content = compiler.field(text, phase, ["content"]);
	const headers = prepareHeaders(submitted, phase, compiler);
	if (!content.ok || !headers.ok) {
		return fail([...(content.ok ? [] : content.error), ...(headers.ok ? [] : headers.error)]);
	}
	const statusCode = member(submitted, "status_code");
	const answer: Answer = {
		statusCode: typeof statusCode === "number" ? statusCode : DEFAULT_STATUS_CODE,
		content: content.value,
		headers: headers.value,
		hasContentType: headers.value.some(({ name }) => asciiLowerCase(name) === "content-type"),
	};
	const fixed = fixedResponse(answer);
	return ok(fixed === undefined ? rendering(answer) : always(fixed));
};

// Each made by itself: closures of one function keep all that any of them needs.
const always =
	(fixed: RunnableAction): PreparedAction =>
	() =>
		fixed;
const rendering =
	(answer: Answer): PreparedAction =>
	({ place }) =>
		new CustomResponse(answer, place);

export const customResponse: Action<typeof config> = {
	config,
	defaults: { status_code: DEFAULT_STATUS_CODE, content: "", headers: {} },
	phases: ["inbound", "outbound"],
	ends: { when: "always", with: "response" },
	changes: [],
	texts: { content: "template", headers: "template", content_type: "template" },
	results: NO_RESULTS,
	lints: [],
	prepare,
	documentation: {
		purpose:
			"Answers a request itself: a redirect, a maintenance page, a small piece of JSON. In an outbound rule it replaces " +
			"the backend's response.",
		effect:
			"The client gets `status_code`, `headers` and `content`. Without a content type it is `application/json` for " +
			"content that is a JSON object or list, `text/html` for content that begins with `<!doctype html` or `<html`, else " +
			"`text/plain`, the last two in UTF-8. A header value that comes out with a line break or NUL, or longer than " +
			`${LIMITS.headerValueBytes} bytes, is never sent: the request fails with 500. ` +
			"Inbound, no backend is asked, and outbound rules see this response.",
		example: {
			document: {
				inbound: [
					{
						name: "The shop moved",
						expressions: ["req.host == 'old.example'"],
						actions: [
							{
								type: "custom-response",
								config: {
									status_code: 301,
									headers: { location: "https://shop.example${req.url.uri}" },
								},
							},
						],
					},
					{
						name: "Closed",
						actions: [
							{
								type: "custom-response",
								config: { status_code: 503, content: '{"closed":"${req.url.path}"}' },
							},
						],
					},
				],
			},
			requests: [
				{ url: "http://old.example/cart?id=7", becomes: "301 https://shop.example/cart?id=7" },
				{ url: "http://shop.example/cart", becomes: '503 {"closed":"/cart"}' },
			],
		},
	},
};

function respond(
	{ statusCode, hasContentType }: Answer,
	content: string,
	headers: (readonly [string, string])[],
): Respond {
	if (!hasContentType) headers.push(["content-type", contentTypeOf(content)]);
	return { kind: "respond", statusCode, headers, content };
}

/** The same for every request and in every place. */
class FixedResponse implements RunnableAction {
	readonly #outcome: Respond;

	constructor(outcome: Respond) {
		this.#outcome = outcome;
	}

	run(): Respond {
		return this.#outcome;
	}

	standing(): Respond {
		return this.#outcome;
	}
}

function fixedResponse(answer: Answer): FixedResponse | undefined {
	const { literal } = answer.content;
	if (literal === undefined) return undefined;
	if (answer.headers.some(({ value }) => value.literal === undefined)) return undefined;
	const lines = answer.headers.map(({ name, value }) => [name, value.literal ?? ""] as const);
	const { kind, statusCode, headers, content } = respond(answer, literal, lines);
	// It is kept: the copy has no room to spare, as a list has that was pushed to.
	return new FixedResponse({ kind, statusCode, headers: headers.slice(), content });
}

class CustomResponse implements RunnableAction {
	readonly #answer: Answer;
	readonly #place: Place;

	constructor(answer: Answer, place: Place) {
		this.#answer = answer;
		this.#place = place;
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
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
		return respond(this.#answer, content, headers);
	}
}
