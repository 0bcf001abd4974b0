/** log (contract 5): adds metadata to the request's log line. Strings are filled in, other values are kept as given. */
import { z } from "zod";
import type { Settled, Suspension, Template } from "../../cel/expression.ts";
import { fail, ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED, text } from "../document/fields.ts";
import { isJson, isObject, isText, member } from "../document/members.ts";
import type { JsonValue, Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import { type Action, NO_RESULTS, type Prepare, type RunnableAction } from "./action.ts";
import { rendered } from "./rendered.ts";

const config = z.strictObject({
	metadata: z
		.record(
			z.string(),
			z.union([
				text(LIMITS.contentBytes),
				z.number(),
				z.boolean(),
				z.record(z.string(), z.unknown()).describe("Kept as given."),
			]),
		)
		.meta({ maxProperties: LIMITS.headersPerAction })
		.optional()
		.describe(`Logged as given; strings may be filled in. ${INTERPOLATED}`),
});

interface Entry {
	readonly name: string;
	readonly template: Template | undefined;
	readonly value: JsonValue;
}

const prepare: Prepare = (submitted, phase, compiler) => {
	const metadata = member(submitted, "metadata");
	const problems: FieldProblem[] = [];
	const entries: Entry[] = [];
	for (const [name, value] of Object.entries(isObject(metadata) ? metadata : {})) {
		const path = ["metadata", name];
		if (typeof value === "string") {
			if (!isText(value, LIMITS.contentBytes)) continue;
			const template = compiler.field(value, phase, path);
			if (!template.ok) problems.push(...template.error);
			else entries.push(entry(name, template.value));
		} else if (isJson(value, LIMITS.jsonDepth)) {
			entries.push({ name, template: undefined, value });
		} else {
			problems.push({ path, code: "wrong_type", message: "is not plain JSON" });
		}
	}
	if (problems.length > 0) return fail(problems);
	return ok(({ place }) =>
		entries.every(({ template }) => template === undefined)
			? new FixedLog(entries)
			: new FilledLog(entries, place),
	);
};

export const log: Action<typeof config> = {
	config,
	defaults: { metadata: {} },
	phases: ["inbound", "outbound"],
	ends: { when: "never" },
	changes: [],
	texts: { metadata: "template" },
	results: NO_RESULTS,
	lints: [],
	prepare,
	documentation: {
		purpose:
			"Adds an entry to the request's line in the log. A request that logged something has one line of JSON, also where " +
			'access logging is off; the entries stand in it under `{"traffic_policy":{"logs":[{"metadata":{…}},…]}}`, in the ' +
			"order in which the actions ran. Logging never waits: lines that find no room are dropped and counted.",
		effect: "The client sees nothing.",
		example: {
			document: {
				outbound: [
					{
						name: "Tell what failed",
						expressions: ["res.status_code >= 500"],
						actions: [
							{
								type: "log",
								config: {
									metadata: { what: "${req.method} ${req.url.path}", team: "checkout", page: true },
								},
							},
						],
					},
				],
			},
			requests: [
				{
					method: "POST",
					url: "http://shop.example/pay",
					responseStatus: 503,
					becomes: 'passes, logs {"what":"POST /pay","team":"checkout","page":true}',
				},
				{ url: "http://shop.example/pay", responseStatus: 200, becomes: "passes" },
			],
		},
	},
};

function entry(name: string, template: Template): Entry {
	return template.literal === undefined
		? { name, template, value: "" }
		: { name, template: undefined, value: template.literal };
}

class FixedLog implements RunnableAction {
	readonly #metadata: JsonValue;

	constructor(entries: readonly Entry[]) {
		const pairs = entries.map(({ name, value }): [string, JsonValue] => [name, value]);
		this.#metadata = Object.freeze(Object.fromEntries(pairs));
	}

	run(exchange: PolicyExchange): Outcome {
		exchange.log(this.#metadata);
		return CONTINUE;
	}
}

class FilledLog implements RunnableAction {
	readonly #entries: readonly Entry[];
	readonly #place: Place;

	constructor(entries: readonly Entry[], place: Place) {
		this.#entries = entries;
		this.#place = place;
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const metadata: Record<string, JsonValue> = {};
		for (let index = 0; index < this.#entries.length; index++) {
			const current = this.#entries[index];
			if (current === undefined) continue;
			if (current.template === undefined) {
				metadata[current.name] = current.value;
				continue;
			}
			const text = rendered(current.template, exchange, this.#place, settled);
			if (typeof text !== "string") return text;
			metadata[current.name] = text;
		}
		exchange.log(metadata);
		return CONTINUE;
	}
}
