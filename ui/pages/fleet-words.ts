/** States of machines in words and signs, and their order in a list: what is wrong comes first. Used by fleet.tsx. */
import type { FleetMember } from "../../src/management/fleet/fleet-answers.ts";
import type { Sign } from "../parts/marks.tsx";

export type MemberState = FleetMember["state"];

/** Worst first. */
const STATES = ["diverged", "stuck", "cut_off", "starting", "catching_up", "in_sync"] as const;

export const STATE_WORDS: Readonly<Record<MemberState, readonly [sign: Sign, words: string]>> = {
	diverged: ["critical", "diverged"],
	stuck: ["critical", "stuck"],
	cut_off: ["warning", "cut off"],
	starting: ["unknown", "starting"],
	catching_up: ["unknown", "catching up"],
	in_sync: ["well", "in sync"],
};

/** Those that there are, and always how many are in sync. */
export const counted = (
	counts: Readonly<Record<MemberState, number>>,
): readonly (readonly [state: MemberState, count: number])[] =>
	STATES.map((state) => [state, counts[state]] as const).filter(
		([state, count]) => count > 0 || state === "in_sync",
	);

/** One that is in sync and behind has not applied what the log already holds. */
export function signOf({ state, behind }: Pick<FleetMember, "state" | "behind">): Sign {
	const [sign] = STATE_WORDS[state];
	return sign === "well" && behind > 0 ? "unknown" : sign;
}

export const worstFirst = (members: readonly FleetMember[]): readonly FleetMember[] =>
	members.toSorted(
		(left, right) =>
			STATES.indexOf(left.state) - STATES.indexOf(right.state) || right.behind - left.behind,
	);

/** `region ams, rack 7` */
export const labelled = (labels: Readonly<Record<string, string>>): string =>
	Object.entries(labels)
		.map(([name, value]) => `${name} ${value}`)
		.join(", ");
