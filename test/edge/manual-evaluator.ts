/** Evaluations that end when the test says so. */
import type { Attributes } from "../../src/cel/attributes.ts";
import type { Suspension } from "../../src/cel/expression.ts";
import type { Outcome, SuspendedRun } from "../../src/policy/exchange.ts";
import type { Evaluation, Evaluator, Settlement } from "../../src/threads/expression-evaluator.ts";

export interface Asked extends Evaluation {
	readonly suspension: Suspension;
	readonly attributes: Attributes;
	readonly deadlineMs: number;
	cancelled: boolean;
	settle(settlement: Settlement): void;
}

export class ManualEvaluator implements Evaluator {
	/** in order, without those that `next` has handed out */
	readonly asked: Asked[] = [];
	keepers = 0;

	keep(): () => void {
		this.keepers += 1;
		return () => {
			this.keepers -= 1;
		};
	}

	ready(): Promise<void> {
		return Promise.resolve();
	}

	evaluate(
		suspension: Suspension,
		attributes: Attributes,
		deadlineMs: number,
		done: (settlement: Settlement) => void,
	): Evaluation {
		const asked: Asked = {
			suspension,
			attributes,
			deadlineMs,
			cancelled: false,
			cancel: () => {
				asked.cancelled = true;
			},
			settle: (settlement) => {
				if (!asked.cancelled) done(settlement);
			},
		};
		this.asked.push(asked);
		return asked;
	}

	/** The next evaluation that is asked for. */
	async next(): Promise<Asked> {
		await until(() => this.asked.length > 0);
		const asked = this.asked.shift();
		if (asked === undefined) throw new Error("nothing asked");
		return asked;
	}
}

/** For edges whose policies suspend nothing. */
export const NO_EVALUATOR: Evaluator = {
	keep: () => () => {},
	ready: () => Promise.resolve(),
	evaluate() {
		throw new Error("a policy suspended");
	},
};

/** Resolves when the condition holds. @throws Error after 10 s */
export async function until(condition: () => boolean): Promise<void> {
	const deadline = Date.now() + 10_000;
	while (!condition()) {
		if (Date.now() > deadline) throw new Error("not in time");
		await new Promise((resolve) => setTimeout(resolve, 1));
	}
}

/** What a phase comes to that waits for an expression, called `name`. */
export const suspended = (phase: "inbound" | "outbound", name = "heavy"): Outcome => {
	const suspension: Suspension = { source: name, phase, wants: "bool", reads: [] };
	const run: SuspendedRun = { phase, rule: 0, step: 0, suspension, settled: new Map() };
	return { kind: "suspended", run };
};
