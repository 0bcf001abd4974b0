/** A phase as all routes with its policy share it. Made by `prepare.ts`, opened by `open-phase.ts`. */
import type { Phase } from "../../cel/expression.ts";
import type { PreparedAction } from "../actions/action.ts";
import type { GuardIndex } from "./guard-index.ts";
import type { PhaseRules } from "./phase-rules.ts";
import { copyOf, type RuleRow } from "./rule-row.ts";

export class PreparedPhase {
	readonly phase: Phase;
	readonly rules: PhaseRules;
	/** of all rules, in their order */
	readonly actions: readonly PreparedAction[];
	readonly index: GuardIndex | undefined;
	readonly starts: Uint32Array | undefined;
	/** with room for the actions */
	readonly #row: RuleRow;
	#isTaken = false;

	constructor(
		phase: Phase,
		rules: PhaseRules,
		actions: readonly PreparedAction[],
		row: RuleRow,
		index?: GuardIndex,
		starts?: Uint32Array,
	) {
		this.phase = phase;
		this.rules = rules;
		this.actions = actions;
		this.#row = row;
		this.index = index;
		this.starts = starts;
	}

	/** For one route, to be filled with its actions. The first one gets no copy: most policies have one route. */
	takeRow(): RuleRow {
		if (this.#isTaken) return copyOf(this.#row);
		this.#isTaken = true;
		return this.#row;
	}
}
