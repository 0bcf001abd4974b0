/** Stand-ins for neighbours that are being built; goes with them. */
import { inRanges, parseAddress, type Range } from "../address.ts";
import { EvaluationFailure, type Pattern } from "../expression.ts";
import { compilePattern } from "../pattern.ts";
import type { Fault } from "../problem.ts";
import type { Scope } from "../scope.ts";
import type { Expr } from "../syntax.ts";

export const LOOP_TURN = 10;
export const estimateCost = (_scope: Scope, _expr: Expr): number => 100;
export const costFault = (_scope: Scope, _expr: Expr): Fault | undefined => undefined;
export function inPreparedRanges(text: string, ranges: readonly Range[]): boolean {
	const address = parseAddress(text);
	if (address === undefined) throw new EvaluationFailure("not the text of an IP address");
	return inRanges(address, ranges);
}
export interface PatternProgram {
	readonly source: string;
}
export const preparePattern = (source: string): PatternProgram => ({ source });
export function openPattern({ source }: PatternProgram): Pattern {
	const compiled = compilePattern(source);
	if (!compiled.ok) throw new Error(compiled.error.message);
	return compiled.value;
}
export const matchCost = (_pattern: Pattern, characters: number): number => characters * 10;
