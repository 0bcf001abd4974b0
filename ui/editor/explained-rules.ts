/** The rules of an explanation as they are listed: those that say nothing are told together. Used by explained.tsx. */
import type { ExplainedRule } from "../../src/management/live/shapes.ts";

export type Listed =
	| { readonly rule: ExplainedRule }
	| { readonly first: number; readonly last: number; readonly state: ExplainedRule["state"] };

/** so many in a row are told one by one */
const IN_A_ROW = 3;

const isQuiet = ({ state, expressions }: ExplainedRule): boolean =>
	state === "not_reached" ||
	(state === "skipped" && expressions.every(({ parts }) => parts.length === 0));

export function listed(rules: readonly ExplainedRule[]): readonly Listed[] {
	const list: Listed[] = [];
	for (let at = 0; at < rules.length; ) {
		const first = rules[at];
		if (first === undefined) break;
		let end = at;
		while (end < rules.length && isQuietAs(rules[end], first)) end++;
		if (end - at > IN_A_ROW) {
			list.push({ first: at, last: end - 1, state: first.state });
			at = end;
		} else {
			list.push({ rule: first });
			at++;
		}
	}
	return list;
}

const isQuietAs = (rule: ExplainedRule | undefined, first: ExplainedRule): boolean =>
	rule !== undefined && isQuiet(rule) && rule.state === first.state;

/** Of a part that nobody asked, what it is made of says nothing. */
export function askedParts(
	parts: ExplainedRule["expressions"][number]["parts"],
): ExplainedRule["expressions"][number]["parts"] {
	let above = Number.POSITIVE_INFINITY;
	return parts.filter(({ depth, state }) => {
		if (depth > above) return false;
		above = state === "skipped" ? depth : Number.POSITIVE_INFINITY;
		return true;
	});
}

type Effect = ExplainedRule["actions"][number]["effects"][number];

/** What an action did, in lines. */
export function effectLines(effect: Effect): readonly string[] {
	switch (effect.kind) {
		case "add_headers":
			return effect.lines.map(([name, value]) => `adds ${name}: ${value}`);
		case "remove_headers":
			return effect.names.map((name) => `removes ${name}`);
		case "answer_headers":
			return effect.lines.map(([name, value]) => `the answer gets ${name}: ${value}`);
		case "rewrite_url":
			return [`${effect.before} becomes ${effect.after}`];
		case "set_var":
			return [`${effect.name} = ${effect.value}`];
		case "log":
			return [`logs ${JSON.stringify(effect.metadata)}`];
		case "failed":
			return [effect.message];
		case "rate_limit": {
			const used = effect.used === null ? "nobody knows what is used" : `${effect.used} used`;
			const would = effect.admitted
				? "it would pass"
				: `it would be over, for ${effect.retry_after_seconds} s`;
			return [`${used} of ${effect.capacity} in ${effect.window_seconds} s: ${would}`];
		}
	}
}
