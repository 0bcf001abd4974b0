/**
 * A phase of a policy that is open for one route: the row of its rules with the route's actions in it, and what is counted
 * of them. One object, since there may be 100,000. Made by `compile.ts`, run by `evaluate.ts`.
 */
import { PhaseCounts, type RuleCounts } from "../../telemetry/traffic/rule-counts.ts";
import type { ActionContext, PreparedAction } from "../actions/action.ts";
import type { Place } from "../exchange.ts";
import type { ExpressionErrors, RunnablePhase } from "./evaluate.ts";
import type { GuardIndex } from "./guard-index.ts";
import type { PhaseRules } from "./phase-rules.ts";
import type { PreparedPhase } from "./prepared-phase.ts";
import { actionAt, actionsIn, nextStart, type RuleRow } from "./rule-row.ts";

/** What all of a policy is opened in. */
type Surroundings = Omit<ActionContext, "place" | "limits" | "resultsRead"> & {
	readonly expressionErrors: ExpressionErrors;
	/** who counts */
	readonly ruleCounts?: RuleCounts | undefined;
};

/** What the phases and actions of a policy are opened in, one after the other: one for all, as most actions ask for nothing. */
export class Opening implements ActionContext {
	readonly edgeId: string;
	readonly routeId: string;
	readonly limiters: ActionContext["limiters"];
	readonly ipv6Prefix: ActionContext["ipv6Prefix"];
	readonly addressLists: ActionContext["addressLists"];
	readonly resultsRead: ActionContext["resultsRead"];
	readonly limits: ActionContext["limits"] = { last: undefined };
	readonly expressionErrors: ExpressionErrors;
	readonly ruleCounts: RuleCounts | undefined;
	#rules: PhaseRules | undefined;
	#rule = 0;
	#action = 0;

	constructor(surroundings: Surroundings, resultsRead: ActionContext["resultsRead"]) {
		this.edgeId = surroundings.edgeId;
		this.routeId = surroundings.routeId;
		this.limiters = surroundings.limiters;
		this.ipv6Prefix = surroundings.ipv6Prefix;
		this.addressLists = surroundings.addressLists;
		this.resultsRead = resultsRead;
		this.expressionErrors = surroundings.expressionErrors;
		this.ruleCounts = surroundings.ruleCounts;
	}

	/** For an action of these rules. */
	at(rules: PhaseRules, rule: number, action: number): this {
		this.#rules = rules;
		this.#rule = rule;
		this.#action = action;
		return this;
	}

	get place(): Place {
		if (this.#rules === undefined) throw new Error("no action is being opened");
		return this.#rules.actionPlace(this.#rule, this.#action);
	}
}

export class OpenPhase extends PhaseCounts<PhaseRules> implements RunnablePhase {
	readonly row: RuleRow;
	readonly index: GuardIndex | undefined;
	readonly starts: Uint32Array | undefined;
	readonly expressionErrors: ExpressionErrors;

	constructor(prepared: PreparedPhase, opening: Opening) {
		const { phase, rules } = prepared;
		super(opening.edgeId, opening.routeId, phase, rules, opening.ruleCounts);
		this.row = prepared.takeRow();
		this.starts = prepared.starts;
		this.index = prepared.index;
		this.expressionErrors = opening.expressionErrors;
		this.#open(prepared.actions, opening);
	}

	#open(actions: readonly PreparedAction[], opening: Opening): void {
		const { row, rules } = this;
		let next = 0;
		for (let rule = 0, start = 0; start < row.length; rule++, start = nextStart(row, start)) {
			const [first, end] = [actionsIn(row, start), nextStart(row, start)];
			for (let cell = first; cell < end; cell++)
				row[cell] = actions[next++]?.(opening.at(rules, rule, cell - first));
		}
	}

	override close(): void {
		super.close();
		const { row } = this;
		for (let start = 0; start < row.length; start = nextStart(row, start)) {
			const end = nextStart(row, start);
			for (let cell = actionsIn(row, start); cell < end; cell++) actionAt(row, cell).close?.();
		}
	}
}
