/**
 * The library's environment: its functions, with others in place of those that are not CEL's, and the
 * functions of contract 4. Used by `evaluate.ts`.
 */
import { type CelEnv, celEnv } from "@bufbuild/cel";
import { COLLECTIONS } from "./functions/collections.ts";
import { CONVERSIONS } from "./functions/conversions.ts";
import { ENCODINGS } from "./functions/encodings.ts";
import { MATH } from "./functions/math.ts";
import { OPERATORS } from "./functions/operators.ts";
import { OPTIONALS } from "./functions/optionals.ts";
import { REQUEST } from "./functions/request.ts";
import { STRING_FUNCTIONS } from "./functions/strings.ts";
import { TIME_FUNCTIONS } from "./functions/time.ts";

export const ENVIRONMENT: CelEnv = celEnv({
	funcs: [
		...COLLECTIONS,
		...CONVERSIONS,
		...ENCODINGS,
		...MATH,
		...OPERATORS,
		...OPTIONALS,
		...REQUEST,
		...STRING_FUNCTIONS,
		...TIME_FUNCTIONS,
	],
});
