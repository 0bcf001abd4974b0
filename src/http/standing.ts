/**
 * The front's standing refusals (native/README.md): what it answers in JavaScript's place. The typed face of a part of the
 * addon, used by `edge/standing/standing-refusals.ts`.
 */
import { addon } from "../native-addon.ts";
import type { NativeStanding, StandingFact } from "../native-addon-standing.ts";
import { addressIn } from "./peer-address.ts";

const {
	kind: AT_KIND,
	kindPlain: AT_KIND_PLAIN,
	flags: AT_FLAGS,
	last: AT_LAST,
	http10: AT_HTTP10,
	bodyLength: AT_BODY_LENGTH,
	listener: AT_LISTENER,
} = addon.frontLayout;

/** number, requests, bytes of content */
const COUNT_NUMBERS = 3;
const COUNTS_TAKEN = 1024;
const counts = new Float64Array(COUNT_NUMBERS * COUNTS_TAKEN);

/** Hot. Is the request that came last one that the front could have answered? @param numbers of the front */
export const isUsual = (numbers: Float64Array): boolean =>
	numbers[AT_KIND] === AT_KIND_PLAIN &&
	numbers[AT_BODY_LENGTH] === 0 &&
	((numbers[AT_FLAGS] ?? 0) & (AT_LAST | AT_HTTP10)) === 0;

/** The number of the listener whose request came last. @param numbers of the front */
export const listenerOf = (numbers: Float64Array): number => numbers[AT_LISTENER] ?? 0;

/** @returns false, and there is none, if its limiter is not open */
export const putStanding = (number: number, refusal: NativeStanding): boolean =>
	addon.putStanding(number, refusal);

/** It has met requests that it had to let pass, and is asked again. */
export const wakeStanding = (number: number): void => addon.wakeStanding(number);

export const clearStanding = (): void => addon.clearStanding();

export const dropStanding = (number: number): void => addon.dropStanding(number);

/** What was refused since the last call. @param counted told of each that refused some */
export function takeCounts(
	counted: (number: number, requests: number, bytes: number) => void,
): void {
	for (let taken = COUNTS_TAKEN; taken === COUNTS_TAKEN; ) {
		taken = addon.takeStanding(counts);
		for (let at = 0; at < taken * COUNT_NUMBERS; at += COUNT_NUMBERS) {
			counted(counts[at] ?? 0, counts[at + 1] ?? 0, counts[at + 2] ?? 0);
		}
	}
}

/** @param wanted how many requests are kept until the next call */
export const takeFacts = (wanted: number): StandingFact[] => addon.takeStandingFacts(wanted);

export const clientOf = ({ address }: StandingFact): string =>
	addressIn(address, address.byteLength);
