/**
 * The library's environment: its functions, with ours in place of those that are slow, unbounded or not
 * CEL's. One for the process, used by `compile.ts` to plan every expression.
 */
import {
	type CelEnv,
	type CelFunc,
	type CelValue,
	celEnv,
	celError,
	isCelList,
	isCelMap,
} from "@bufbuild/cel";
import { CONVERSIONS } from "./functions/conversions.ts";
import { ENCODINGS } from "./functions/encodings.ts";
import { REQUEST_FUNCTIONS } from "./functions/request.ts";
import { STRING_FUNCTIONS } from "./functions/strings.ts";
import { TIME_FUNCTIONS } from "./functions/time.ts";
import { OutOfSteps, takeSteps } from "./steps.ts";

/** Functions of the library whose cost grows with what they are given. */
const CHARGED: ReadonlySet<string> = new Set(["_==_", "_!=_", "@in", "contains", "_+_", "bytes"]);

export const ENVIRONMENT: CelEnv = celEnv({
	funcs: [
		...chargedLibrary(),
		...CONVERSIONS,
		...ENCODINGS,
		...REQUEST_FUNCTIONS,
		...STRING_FUNCTIONS,
		...TIME_FUNCTIONS,
	],
});

function chargedLibrary(): readonly CelFunc[] {
	return [...celEnv().funcs].filter(({ name }) => CHARGED.has(name)).map(charged);
}

/** The same function, which counts its steps first. */
function charged(func: CelFunc): CelFunc {
	const call: CelFunc["call"] = (id, target, args) => {
		try {
			takeSteps(stepsOf(target) + stepsOf(args[0]) + stepsOf(args[1]));
		} catch (error) {
			if (error instanceof OutOfSteps) return celError(error, id);
			throw error;
		}
		return func.call(id, target, args);
	};
	return Object.assign(Object.create(func), { call });
}

/** Hot. An element is a step; text is compared and searched some thousand characters a step. */
function stepsOf(value: CelValue | undefined): number {
	if (typeof value === "string") return value.length >> 10;
	if (typeof value !== "object" || value === null) return 0;
	if (isCelList(value)) return value.size;
	if (value instanceof Uint8Array) return value.length >> 8;
	return isCelMap(value) ? 1 : 0;
}
