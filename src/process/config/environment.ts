/** The variables of the environment that weir reads (contract 1). Used by `load-config.ts` and `supervisor/worker-handle.ts`. */

/** A key of the management API besides those of the store; workers are started without it. */
export const API_KEY_VARIABLE = "WEIR_API_KEY";

/** Variables that stand for a flag of `weir serve`; the flag is stronger. */
export const FLAG_VARIABLES = {
	WEIR_LISTEN: "listen",
	WEIR_MANAGEMENT: "management",
	WEIR_DATA_DIR: "data-dir",
	WEIR_WORKERS: "workers",
} as const;

export const VARIABLES: readonly string[] = [...Object.keys(FLAG_VARIABLES), API_KEY_VARIABLE];
