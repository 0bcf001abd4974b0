/**
 * All functions that expressions can call. A new function is one definition in a file of this folder; a new family
 * is a file and its line here. Read by the checker, lowering, `dispatch.ts`, the estimate of costs and
 * docs/expressions.md. Operators stand in `operators.ts`, macros in `macros.ts`.
 */
import { ADDRESSES } from "./addresses.ts";
import { CHANCE } from "./chance.ts";
import { CONVERSIONS } from "./conversions.ts";
import { type FunctionDefinition, type Implementation, REPLACED } from "./definition.ts";
import { ENCODERS } from "./encoders.ts";
import { LISTS } from "./lists.ts";
import { LOOK_UPS } from "./look-ups.ts";
import { MACRO_STEPS } from "./macro-steps.ts";
import { MATH } from "./math.ts";
import { OPTIONALS } from "./optionals.ts";
import { PATTERNS } from "./patterns.ts";
import { SETS } from "./sets.ts";
import { SIZES } from "./sizes.ts";
import { STRING_TESTS } from "./string-tests.ts";
import { STRINGS } from "./strings.ts";
import { TIMES } from "./times.ts";

/** In the order in which suggestions and docs name them. */
export const FAMILIES = {
	conversions: CONVERSIONS,
	sizes: SIZES,
	stringTests: STRING_TESTS,
	patterns: PATTERNS,
	times: TIMES,
	lookUps: LOOK_UPS,
	addresses: ADDRESSES,
	chance: CHANCE,
	encoders: ENCODERS,
	strings: STRINGS,
	math: MATH,
	lists: LISTS,
	sets: SETS,
	optionals: OPTIONALS,
	macroSteps: MACRO_STEPS,
} as const satisfies Readonly<Record<string, readonly FunctionDefinition[]>>;

const ALL: readonly FunctionDefinition[] = Object.values(FAMILIES).flat();

/** By name. */
export const FUNCTIONS: ReadonlyMap<string, FunctionDefinition> = new Map(
	ALL.map((definition) => [definition.name, definition]),
);

/** By signature. */
export const IMPLEMENTATIONS: ReadonlyMap<string, Implementation> = new Map(
	ALL.flatMap(({ overloads }) =>
		Object.entries(overloads).flatMap(([signature, implementation]) =>
			implementation === REPLACED ? [] : [[signature, implementation] as const],
		),
	),
);

/** Signatures of functions that yield something else each time. */
const BY_CHANCE: ReadonlySet<string> = new Set(
	ALL.flatMap(({ overloads, asksForChance }) => (asksForChance ? Object.keys(overloads) : [])),
);

/** @param name of a function; there need not be one */
export const asksForChance = (name: string): boolean => FUNCTIONS.get(name)?.asksForChance === true;

export const signatureAsksForChance = (signature: string): boolean => BY_CHANCE.has(signature);
