/** The rules of an explanation as lines that a person reads from top to bottom. Called by `render.ts`. */
import type { ActionTrace, Effect, ExpressionTrace, RuleTrace } from "../../policy/trace/shapes.ts";
import { type Paint, printable } from "./paint.ts";

/** rules of one kind in a row that are told one by one */
const IN_A_ROW = 6;
/** where values stand beside their parts */
const VALUE_COLUMN = 56;

const MARKS: Readonly<Record<RuleTrace["state"], string>> = {
	applied: "✓",
	ended: "■",
	skipped: "–",
	failed: "!",
	not_reached: "·",
};

export function ruleLines(rules: readonly RuleTrace[], paint: Paint): readonly string[] {
	const lines: string[] = [];
	for (let at = 0; at < rules.length; ) {
		const dull = dullFrom(rules, at);
		if (dull > IN_A_ROW) {
			const [first, last] = [rules[at], rules[at + dull - 1]];
			const what = first?.state === "skipped" ? "skipped: an expression is false" : "not reached";
			lines.push(paint.faint(`  – ${first?.index}–${last?.index}  ${dull} rules ${what}`));
			at += dull;
			continue;
		}
		const rule = rules[at];
		if (rule !== undefined) lines.push(...linesOf(rule, paint));
		at++;
	}
	return lines;
}

/** How many rules from here on say nothing but that they did not apply. */
function dullFrom(rules: readonly RuleTrace[], from: number): number {
	const { state } = rules[from] ?? {};
	let at = from;
	while (at < rules.length && rules[at]?.state === state && isDull(rules[at])) at++;
	return at - from;
}

const isDull = (rule: RuleTrace | undefined): boolean =>
	rule?.state === "not_reached" ||
	(rule?.state === "skipped" && rule.expressions.every(({ parts }) => parts.length === 0));

function linesOf(rule: RuleTrace, paint: Paint): readonly string[] {
	const { state, index, name, enforce, reason, expressions, actions } = rule;
	const isQuiet = state === "skipped" || state === "not_reached";
	const colour = isQuiet ? paint.faint : state === "applied" ? paint.good : paint.bad;
	const title = `${MARKS[state]} ${index}${name === "" ? "" : ` ${printable(name)}`}`;
	const only = enforce ? "" : " (only reports)";
	const head = `  ${colour(title)}${only}  ${paint.faint(printable(reason))}`;
	if (state === "not_reached") return [head];
	return [
		head,
		...expressions.flatMap((expression) => expressionLines(expression, paint)),
		...actions
			.filter((action) => action.state !== "not_reached")
			.flatMap((action) => actionLines(action, paint)),
	];
}

function expressionLines(expression: ExpressionTrace, paint: Paint): readonly string[] {
	const { state, source, asked, cost_class: cost, message, parts, more_parts: more } = expression;
	const mark =
		state === "true" ? paint.good("true ") : state === "false" ? paint.bad("false") : "     ";
	const notes = [
		...(asked ? [] : ["not asked"]),
		...(cost === "heavy" ? ["heavy"] : []),
		...(message === null ? [] : [printable(message)]),
	];
	const head = `      ${mark} ${printable(source)}${notes.length > 0 ? paint.faint(`  (${notes.join(", ")})`) : ""}`;
	const inner = withoutUnasked(parts).map(({ text, depth, state: is, value, times }) => {
		const left = `${"  ".repeat(depth + 6)}${printable(text)}`;
		const shown = value ?? (is === "failed" ? "failed" : "not asked");
		const often = times > 1 ? ` (last of ${times})` : "";
		return paint.faint(`${left.padEnd(VALUE_COLUMN)}  ${printable(shown)}${often}`);
	});
	const rest = more === 0 ? [] : [paint.faint(`            … ${more} more parts`)];
	return [head, ...inner, ...rest];
}

/** Of a part that nobody asked, what it is made of says nothing. */
function withoutUnasked(parts: ExpressionTrace["parts"]): ExpressionTrace["parts"] {
	let above = Number.POSITIVE_INFINITY;
	return parts.filter(({ depth, state }) => {
		if (depth > above) return false;
		above = state === "skipped" ? depth : Number.POSITIVE_INFINITY;
		return true;
	});
}

function actionLines({ type, state, effects }: ActionTrace, paint: Paint): readonly string[] {
	const told = effects.flatMap(effectTexts);
	const word = { would_have: " would have acted", failed: " failed", ended: " ends the phase" }[
		state as string
	];
	const first = `      → ${paint.strong(type)}${word === undefined ? "" : paint.bad(word)}`;
	return [first, ...told.map((text) => `          ${printable(text)}`)];
}

function effectTexts(effect: Effect): readonly string[] {
	switch (effect.kind) {
		case "add_headers":
			return effect.lines.map(([name, value]) => `+ ${name}: ${value}`);
		case "remove_headers":
			return effect.names.map((name) => `- ${name}`);
		case "answer_headers":
			return [
				...effect.without.map((name) => `answer - ${name}`),
				...effect.lines.map(([name, value]) => `answer + ${name}: ${value}`),
			];
		case "rewrite_url":
			return [`before ${effect.before}`, `after  ${effect.after}`];
		case "set_var":
			return [`${effect.name} = ${effect.value}`];
		case "log":
			return [`log ${JSON.stringify(effect.metadata)}`];
		case "failed":
			return [effect.message];
		case "rate_limit":
			return limitTexts(effect);
	}
}

function limitTexts(limit: Extract<Effect, { kind: "rate_limit" }>): readonly string[] {
	const { name, key, capacity, window_seconds: window, used, remaining, admitted, cost } = limit;
	const shownKey = key.map((part) => [part ?? "(absent)"].flat().join(", ")).join(" | ");
	const title = `${name === "" ? "limit" : `"${name}"`} of ${capacity} in ${window} s${shownKey === "" ? "" : ` for ${shownKey}`}`;
	const known = used === null ? "nobody knows what is used" : `${used} used, ${remaining} left`;
	const costs = cost === 1 ? "" : `, this request costs ${cost}`;
	const would = admitted
		? "it would be let through"
		: `it would be over; there is room again after ${limit.retry_after_seconds} s`;
	return [title, `${known}${costs}: ${would} (nothing was counted)`];
}
