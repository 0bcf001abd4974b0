/** What a plan would do, in lines for people: each resource with the difference of its document. Called by the commands `weir apply`, `weir diff` and `weir rollback`. */
import { yamlText } from "../../documents/yaml-text.ts";
import { printable } from "../explain/paint.ts";
import { formOf } from "./export-form.ts";
import { type DiffLine, lineDiff } from "./line-diff.ts";
import { deletedBy, type Plan, stepsOf } from "./plan.ts";
import { titleOf } from "./resources.ts";
import type { Step } from "./step.ts";

export type Paint = (color: "red" | "green" | "yellow" | "dim", text: string) => string;

const CODES = { red: 31, green: 32, yellow: 33, dim: 2 } as const;

/** Of what is written to stdout. */
export const terminalPainter = (): Paint =>
	painter(process.stdout.isTTY === true && (process.env.NO_COLOR ?? "") === "");

/** Colours where somebody looks. */
export const painter = (hasColors: boolean): Paint =>
	hasColors ? (color, text) => `\u001b[${CODES[color]}m${text}\u001b[0m` : (_color, text) => text;

const SIGNS: Readonly<Record<Step["action"], readonly [string, "red" | "green" | "yellow"]>> = {
	create: ["+", "green"],
	change: ["~", "yellow"],
	delete: ["-", "red"],
};

export const planLines = (plan: Plan, paint: Paint): string =>
	stepsOf(plan)
		.map((step) => stepLines(step, paint))
		.join("");

function stepLines(step: Step, paint: Paint): string {
	const [sign, color] = SIGNS[step.action];
	const count = step.takesAlong.length;
	const along = count === 0 ? "" : ` (and with it ${step.takesAlong.join(", ")})`;
	const title = `${paint(color, `${sign} ${titleOf(step)}`)}${along}\n`;
	if (step.after === undefined) return title;
	return title + documentLines(step, paint);
}

/** How one document differs from another, in YAML. */
export function documentLines(
	{ kind, before, after }: Pick<Step, "kind" | "before" | "after">,
	paint: Paint,
): string {
	const text = (document: Step["after"]): string =>
		document === undefined ? "" : yamlText(formOf({ kind, document }));
	const lines = lineDiff(text(before), text(after)).map((line) => shown(line, paint));
	return lines.join("");
}

function shown({ kind, text: written }: DiffLine, paint: Paint): string {
	const text = printable(written);
	switch (kind) {
		case "gone":
			return `    ${paint("red", `- ${text}`)}\n`;
		case "new":
			return `    ${paint("green", `+ ${text}`)}\n`;
		case "gap":
			return `    ${paint("dim", "…")}\n`;
		case "same":
			return `      ${text}\n`;
	}
}

/** "2 to create, 1 to change, 3 to delete, 14 as they are" */
export function counted(plan: Plan): string {
	const steps = stepsOf(plan);
	const of = (action: Step["action"]): number =>
		steps.filter((step) => step.action === action).length;
	return `${of("create")} to create, ${of("change")} to change, ${deletedBy(plan)} to delete, ${plan.unchanged} as they are`;
}
