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

/** Overloads of the library whose cost grows with what they are given. */
const CHARGED: ReadonlySet<string> = new Set([
	"_==_(dyn,dyn)",
	"_!=_(dyn,dyn)",
	"@in(dyn,list)",
	"_+_(bytes,bytes)",
	"_<_(string,string)",
	"_<=_(string,string)",
	"_>_(string,string)",
	"_>=_(string,string)",
	"string.contains(string)",
	"string.endsWith(string)",
	"string.startsWith(string)",
	"bytes(string)",
]);

export const ENVIRONMENT: CelEnv = celEnv({
	funcs: [
		...chargedLibrary(),
		...CONVERSIONS,
		...ENCODINGS.map(charged),
		...REQUEST_FUNCTIONS,
		...STRING_FUNCTIONS.map(charged),
		...TIME_FUNCTIONS,
	],
});

function chargedLibrary(): readonly CelFunc[] {
	return [...celEnv().funcs].filter(({ id }) => CHARGED.has(id)).map(charged);
}

/** The same overload, which counts its steps where it is the one that fits. */
function charged(func: CelFunc): CelFunc {
	const call: CelFunc["call"] = (id, target, args) => {
		const result = func.call(id, target, args);
		if (result === undefined) return undefined;
		try {
			takeSteps(stepsOf(target) + stepsOf(args[0]) + stepsOf(args[1]));
		} catch (error) {
			if (error instanceof OutOfSteps) return celError(error, id);
			throw error;
		}
		return result;
	};
	return Object.assign(Object.create(func), { call });
}

/** Hot. An element is a step; text is compared and searched some 500 characters a step. */
function stepsOf(value: CelValue | undefined): number {
	if (typeof value === "string") return value.length >> 9;
	if (typeof value !== "object" || value === null) return 0;
	if (isCelList(value)) return value.size;
	if (value instanceof Uint8Array) return value.length >> 8;
	return isCelMap(value) ? 1 : 0;
}
