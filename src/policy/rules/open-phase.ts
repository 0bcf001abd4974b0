/**
 * A phase of a policy that is open for one route: the row of its rules with the route's actions in it, and what is counted
 * of them. One object, since there may be 100,000. Made by `compile.ts`, run by `evaluate.ts`.
 */
import { PhaseCounts, type RuleCounts } from "../../telemetry/traffic/rule-counts.ts";
import type { ActionContext, PreparedAction } from "../actions/action.ts";
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
		const { edgeId, routeId, limiters, ipv6Prefix, addressLists, resultsRead, ordinalOf } = context;
		let next = 0;
		for (let rule = 0, start = 0; start < row.length; rule++, start = nextStart(row, start)) {
			const [first, end] = [actionsIn(row, start), nextStart(row, start)];
			for (let cell = first; cell < end; cell++) {
				// Not spread: an object that is takes ten times as long to make.
				row[cell] = actions[next++]?.({
					place: rules.actionPlace(rule, cell - first),
					edgeId,
					routeId,
					limiters,
					ipv6Prefix,
					addressLists,
					resultsRead,
					ordinalOf,
				});
			}
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
