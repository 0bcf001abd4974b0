/** set-vars (contract 5): sets variables that the expressions behind it read as `vars.<name>`. */
import { z } from "zod";
import {
	EvaluationFailure,
	isSuspension,
	type Settled,
	type Suspension,
} from "../../cel/expression.ts";
import { Results } from "../../cel/values/results.ts";
import type { Value } from "../../cel/values/value.ts";
import { bytesOf } from "../../cel/values/weight.ts";
import { quoted } from "../../documents/nearest.ts";
import { fail, ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { INTERPOLATED } from "../document/fields.ts";
import { isJson, isObject, member } from "../document/members.ts";
import type { Outcome, Place, PolicyExchange } from "../exchange.ts";
import { CONTINUE, FAILED, failedBy } from "../outcomes.ts";
import type { FieldProblem } from "../programs/problem.ts";
import { type Action, NO_RESULTS, type Prepare, type RunnableAction } from "./action.ts";
import { isVariableRead } from "./results.ts";
import { evaluated, preparedValue, typeOfValue, type VariableValue } from "./set-vars/value.ts";

const NAME = /^[A-Za-z_]\w*$/;

const config = z.strictObject({
	vars: z
		.array(z.record(z.string(), z.unknown()))
		.min(1)
		.meta({ minItems: 1, maxItems: LIMITS.varsPerAction })
		.describe(
			"One map of one entry for each variable, in order: its name and its value, any JSON. A text that is one `${…}` and " +
				`nothing else keeps the type of the expression's value. ${INTERPOLATED}`,
		),
});

interface Variable {
	readonly name: string;
	readonly value: VariableValue;
}

const prepare: Prepare = (submitted, phase, compiler) => {
	const problems: FieldProblem[] = [];
	const variables: Variable[] = [];
	const given = member(submitted, "vars");
	for (const [index, entry] of (Array.isArray(given) ? given : []).entries()) {
		if (!isObject(entry)) continue;
		const path = ["vars", index];
		const [[name, json] = ["", undefined], ...others] = Object.entries(entry);
		const mistake = others.length > 0 || name === "" ? NOT_ONE : nameMistake(name);
		if (mistake !== undefined) {
			problems.push({ path, code: "invalid_variable", message: mistake });
			continue;
		}
		if (!isJson(json, LIMITS.jsonDepth)) {
			problems.push({ path: [...path, name], code: "wrong_type", message: "is not plain JSON" });
			continue;
		}
		const value = preparedValue(json, [...path, name], { phase, compiler, problems });
		if (value.kind === "fixed" && bytesOf(value.value, LIMITS.varBytes) > LIMITS.varBytes) {
			const message = `takes more than the ${LIMITS.varBytes} bytes that a variable may have`;
			problems.push({ path: [...path, name], code: "too_big", message });
		}
		compiler.assigned(name, typeOfValue(json, value));
		variables.push({ name, value });
	}
	if (problems.length > 0) return fail(problems);
	return ok((context) => {
		const read = variables.filter(({ name }) => isVariableRead(name, context));
		return new SetVars(read, context.place);
	});
};

const NOT_ONE = "must have one entry: the variable's name and its value";

function nameMistake(name: string): string | undefined {
	if (NAME.test(name) && name.length <= LIMITS.nameCharacters) return undefined;
	return `${quoted(name)} is no name of a variable: letters, digits and _, and no digit first`;
}

export const setVars: Action<typeof config> = {
	config,
	defaults: {},
	phases: ["inbound", "outbound"],
	ends: { when: "never" },
	changes: [],
	texts: { vars: "template" },
	results: NO_RESULTS,
	lints: [],
	prepare,
	documentation: {
		purpose:
			"Gives names to values, which the expressions behind it read as `vars.<name>`, in both phases. A later variable of " +
			"the same action sees the earlier ones; setting one again replaces it. A variable that no expression of the policy " +
			"reads is not worked out.",
		effect:
			`The client sees nothing. A value of more than ${LIMITS.varBytes} bytes, or variables of more than ` +
			`${LIMITS.varsBytes} bytes together, fail the request with 500, whatever \`expression_errors\` says.`,
		example: {
			document: {
				inbound: [
					{
						name: "Who asks",
						actions: [
							{
								type: "set-vars",
								config: {
									vars: [
										{ tier: "${req.host.startsWith('gold.') ? 'gold' : 'basic'}" },
										{ limits: { gold: 100, basic: 10 } },
										{ limit: "${vars.limits[vars.tier]}" },
									],
								},
							},
						],
					},
					{
						name: "Pages of more than the tier has",
						expressions: [
							"req.url.query_params['n'].exists(n, n.matches('^[0-9]{1,9}$') && int(n) > vars.limit)",
						],
						actions: [
							{
								type: "custom-response",
								config: { status_code: 400, content: "at most ${vars.limit} for ${vars.tier}" },
							},
						],
					},
				],
			},
			requests: [
				{ url: "http://shop.example/?n=11", becomes: "400 at most 10 for basic" },
				{ url: "http://gold.shop.example/?n=11", becomes: "passes" },
			],
		},
	},
};

class SetVars implements RunnableAction {
	readonly #variables: readonly Variable[];
	readonly #place: Place;

	constructor(variables: readonly Variable[], place: Place) {
		this.#variables = variables;
		this.#place = place;
	}

	/** Where a value waits for a thread, those before it are set already: the thread's expression may read them. */
	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const waited = settled === undefined ? undefined : exchange.results?.progress;
		const progress = waited?.of === this ? waited : undefined;
		const before = progress === undefined ? exchange.results : progress.before;
		const results = (progress && exchange.results) ?? before?.copy() ?? new Results();
		exchange.results = results;
		results.progress = undefined;
		for (let index = progress?.next ?? 0; index < this.#variables.length; index++) {
			const variable = this.#variables[index];
			if (variable === undefined) continue;
			const value = evaluated(variable.value, exchange, settled);
			if (isSuspension(value)) {
				results.progress = { of: this, next: index, before };
				return value;
			}
			const outcome = this.#assigned(variable.name, value, results, exchange);
			if (outcome === CONTINUE) continue;
			exchange.results = before;
			return outcome;
		}
		if (exchange.report !== undefined) {
			exchange.report.acted = true;
			exchange.results = before;
		}
		return CONTINUE;
	}

	#assigned(
		name: string,
		value: Value | EvaluationFailure,
		results: Results,
		exchange: PolicyExchange,
	): Outcome {
		if (value instanceof EvaluationFailure) {
			exchange.expressionFailed(this.#place, value.message);
			return failedBy(value);
		}
		const bytes = bytesOf(value, LIMITS.varBytes);
		if (bytes > LIMITS.varBytes || results.bytesBeside(name) + bytes > LIMITS.varsBytes) {
			const most = bytes > LIMITS.varBytes ? LIMITS.varBytes : LIMITS.varsBytes;
			exchange.expressionFailed(
				this.#place,
				`vars.${name} takes more than the ${most} bytes there are`,
			);
			return FAILED;
		}
		results.assign(name, value, bytes);
		return CONTINUE;
	}
}
