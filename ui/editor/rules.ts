/** The rules that a saved document has. Used by rule-list.tsx. */

export const PHASES = ["inbound", "outbound"] as const;

export interface Rule {
	readonly phase: "inbound" | "outbound";
	readonly index: number;
	readonly name: string;
	/** types of its actions */
	readonly actions: readonly string[];
}

/** The saved text was valid, or it would not be saved; what is no rule is left out all the same. */
export function rulesOf(text: string | undefined): Rule[] {
	if (text === undefined) return [];
	let document: Record<string, unknown>;
	try {
		document = JSON.parse(text) as Record<string, unknown>;
	} catch {
		return [];
	}
	return PHASES.flatMap((phase) => {
		const rules = document[phase];
		if (!Array.isArray(rules)) return [];
		return rules.map((rule: { name?: string; actions?: { type: string }[] }, index) => ({
			phase,
			index,
			name: rule.name ?? "",
			actions: (rule.actions ?? []).map(({ type }) => type),
		}));
	});
}
