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

/** What its actions are opened in, and who counts. */
export interface PhaseContext extends Omit<ActionContext, "place"> {
	readonly expressionErrors: ExpressionErrors;
	readonly ruleCounts?: RuleCounts | undefined;
}

export class OpenPhase extends PhaseCounts<PhaseRules> implements RunnablePhase {
	readonly row: RuleRow;
	readonly index: GuardIndex | undefined;
	readonly starts: Uint32Array | undefined;
	readonly expressionErrors: ExpressionErrors;

	constructor(prepared: PreparedPhase, context: PhaseContext) {
		const { phase, rules } = prepared;
		super(context.edgeId, context.routeId, phase, rules, context.ruleCounts);
		this.row = prepared.takeRow();
		this.starts = prepared.starts;
		this.index = prepared.index;
		this.expressionErrors = context.expressionErrors;
		this.#open(prepared.actions, context);
	}

	#open(actions: readonly PreparedAction[], context: PhaseContext): void {
		const { row, rules } = this;
		const opening = new Opening(rules, context);
		let next = 0;
		for (let rule = 0, start = 0; start < row.length; rule++, start = nextStart(row, start)) {
			const [first, end] = [actionsIn(row, start), nextStart(row, start)];
			for (let cell = first; cell < end; cell++)
				row[cell] = actions[next++]?.(opening.of(rule, cell - first));
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

/** What the actions of a phase are opened in, one after the other: one for all of them, as most ask for nothing. */
class Opening implements ActionContext {
	readonly #rules: PhaseRules;
	readonly edgeId: string;
	readonly routeId: string;
	readonly limiters: ActionContext["limiters"];
	readonly ipv6Prefix: ActionContext["ipv6Prefix"];
	readonly addressLists: ActionContext["addressLists"];
	readonly resultsRead: ActionContext["resultsRead"];
	readonly limits: ActionContext["limits"];
	#rule = 0;
	#action = 0;

	constructor(rules: PhaseRules, context: Omit<ActionContext, "place">) {
		this.#rules = rules;
		this.edgeId = context.edgeId;
		this.routeId = context.routeId;
		this.limiters = context.limiters;
		this.ipv6Prefix = context.ipv6Prefix;
		this.addressLists = context.addressLists;
		this.resultsRead = context.resultsRead;
		this.limits = context.limits;
	}

	of(rule: number, action: number): this {
		this.#rule = rule;
		this.#action = action;
		return this;
	}

	get place(): Place {
		return this.#rules.actionPlace(this.#rule, this.#action);
	}
}
