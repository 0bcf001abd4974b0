/** The variables of the environment that weir reads (contract 1). Used by `load-config.ts` and `supervisor/fork-worker.ts`. */
import { OVERRIDES } from "../../config.ts";

/** A key of the management API besides those of the store; workers are started without it. */
export const API_KEY_VARIABLE = "WEIR_API_KEY";

export const VARIABLES: readonly string[] = [
	...OVERRIDES.map(({ variable }) => variable),
	API_KEY_VARIABLE,
];
