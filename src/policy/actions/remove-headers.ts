/** remove-headers (contract 5): takes header lines away from the request, or from the response. */
import { z } from "zod";
import { asciiLowerCase } from "../../ascii.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok } from "../../errors.ts";
import { isFieldName } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import { member } from "../document/members.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import type { Action, ActionContext, Prepare, RunnableAction } from "./action.ts";
import { fieldMistake } from "./headers.ts";
import { isRead, leave } from "./results.ts";

const config = z.strictObject({
	headers: z
		.array(z.string())
		.min(1)
		.meta({ minItems: 1, maxItems: LIMITS.headersPerAction })
		.describe("Names, in any case; one that ends in `*` stands for all names that begin so."),
});

const NEEDED: ReadonlyMap<string, string> = new Map([
	["host", "no message is understood without it"],
	["date", "the server writes it"],
	["via", "loops are found by it"],
]);

const prepare: Prepare = (submitted) => {
	const given = member(submitted, "headers");
	const problems: FieldProblem[] = [];
	const names: string[] = [];
	for (const [index, name] of (Array.isArray(given) ? given : []).entries()) {
		if (typeof name !== "string") continue;
		const mistake = nameMistake(name);
		if (mistake === undefined) names.push(asciiLowerCase(name));
		else problems.push({ path: ["headers", index], code: "invalid_header", message: mistake });
	}
	return problems.length > 0 ? fail(problems) : ok((context) => new RemoveHeaders(names, context));
};

function nameMistake(name: string): string | undefined {
	if (name === "*") return undefined;
	if (name.endsWith("*")) {
		const begin = name.slice(0, -1);
		if (isFieldName(begin) && !begin.includes("*")) return undefined;
		return `${quoted(name)} is no beginning of a header name`;
	}
	if (name.includes("*"))
		return `${quoted(name)}: a "*" stands at the end only, for all names that begin so`;
	const needed = NEEDED.get(asciiLowerCase(name));
	return needed === undefined ? fieldMistake(name) : `${quoted(name)} can't be removed: ${needed}`;
}

export const removeHeaders: Action<typeof config> = {
	config,
	defaults: {},
	phases: ["inbound", "outbound"],
	ends: { when: "never" },
	changes: ["headers"],
	texts: {},
	results: {
		headers_removed: {
			type: "list<string>",
			doc: "The names, in lower case, of those that were there.",
		},
	},
	lints: [],
	prepare,
	documentation: {
		purpose:
			"Takes away all lines of the given names; rules behind it don't see them. A name that ends in `*` stands for all that " +
			"begin so. What frames a message, `host`, `date` and `via` stays: naming one is refused, and a prefix passes it over.",
		effect: "The message goes on without the lines.",
		example: {
			document: {
				inbound: [
					{
						name: "Nobody outside may say who they are",
						actions: [{ type: "remove-headers", config: { headers: ["x-user", "x-internal-*"] } }],
					},
					{
						name: "Seen by later rules",
						expressions: ["'x-internal-role' in req.headers"],
						actions: [{ type: "deny" }],
					},
				],
				outbound: [
					{ actions: [{ type: "remove-headers", config: { headers: ["x-powered-by"] } }] },
				],
			},
			requests: [
				{
					url: "http://shop.example/",
					headers: [
						["x-internal-role", "admin"],
						["x-user", "1"],
						["x-page", "2"],
					],
					becomes: "passes",
					backendGets: ["no x-internal-role", "no x-user", "x-page: 2"],
				},
				{
					url: "http://shop.example/",
					responseStatus: 200,
					becomes: "passes",
					clientGets: ["no x-powered-by"],
				},
			],
		},
	},
};

class RemoveHeaders implements RunnableAction {
	readonly #names: readonly string[];
	readonly #place: Place;
	readonly #isRead: boolean;

	constructor(names: readonly string[], context: ActionContext) {
		this.#names = names;
		this.#place = context.place;
		this.#isRead = isRead("remove-headers", context);
	}

	run(exchange: PolicyExchange): Outcome {
		const removed = exchange.removeHeaders(this.#place.phase, this.#names);
		if (this.#isRead) leave(exchange, "remove-headers", { headers_removed: removed });
		return CONTINUE;
	}
}
