/** What `weir fleet` can be asked for: the words and flags that each of its commands takes. Pure. Called by `fleet-command.ts`. */
import { fail, ok, type Result } from "../../errors.ts";
import { unknown } from "./command-line.ts";

interface FleetAction {
	/** what the one word is that it needs; undefined: it takes none */
	readonly word?: string;
	/** besides those that all have */
	readonly flags: readonly string[];
}

const OF_ENGINE = ["replicas", "credentials", "monitor"];

const ACTIONS = {
	init: { flags: OF_ENGINE },
	join: { flags: ["discard-local"] },
	leave: { flags: [] },
	status: { flags: ["json"] },
	log: { flags: ["limit", "before", "json"] },
	level: { flags: ["json", "raise"] },
	forget: { word: "MEMBER", flags: [] },
	verify: { flags: [] },
	export: { word: "FILE", flags: [] },
	restore: { word: "FILE", flags: [] },
	reseed: { flags: OF_ENGINE },
} as const satisfies Readonly<Record<string, FleetAction>>;

export type FleetActionName = keyof typeof ACTIONS;

const NAMES = Object.keys(ACTIONS) as FleetActionName[];

export interface ChosenAction {
	readonly action: FleetActionName;
	/** empty: it takes none */
	readonly word: string;
}

/** @returns the error is a sentence */
export function chosenAction(
	words: readonly string[],
	flags: Readonly<Record<string, unknown>>,
): Result<ChosenAction, string> {
	const [first = "", word, ...more] = words;
	const action = NAMES.find((name) => name === first);
	if (action === undefined) return fail(unknown("fleet command", first, NAMES));
	const { flags: taken, ...rest }: FleetAction = ACTIONS[action];
	const count = (word === undefined ? 0 : 1) + more.length;
	if (rest.word === undefined && count > 0) return fail(`fleet ${action} takes no "${word}"`);
	if (rest.word !== undefined && count !== 1)
		return fail(`fleet ${action} needs one ${rest.word}: weir fleet ${action} ${rest.word}`);
	for (const flag of OWN_FLAGS) {
		if (flags[flag] === undefined || taken.includes(flag)) continue;
		const takers = NAMES.filter((name) =>
			(ACTIONS[name].flags as readonly string[]).includes(flag),
		);
		return fail(`--${flag} is for fleet ${takers.join(" and fleet ")}, not for fleet ${action}`);
	}
	return ok({ action, word: word ?? "" });
}

/** Flags that only some of them take. */
const OWN_FLAGS: readonly string[] = [
	...new Set(NAMES.flatMap((name) => [...ACTIONS[name].flags])),
];

/** A flag that is a number. @param fallback where it is not given @returns the error is a sentence */
export function numberOf(
	flags: Readonly<Record<string, unknown>>,
	name: string,
	{
		least,
		most,
		fallback,
	}: { readonly least: number; readonly most: number; readonly fallback: number },
): Result<number, string> {
	const given = flags[name];
	if (given === undefined) return ok(fallback);
	const value = /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
	if (value >= least && value <= most) return ok(value);
	return fail(`--${name}: "${String(given)}" is no number from ${least} to ${most}`);
}
