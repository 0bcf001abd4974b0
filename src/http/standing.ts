/**
 * The front's standing refusals (native/README.md): what it answers in JavaScript's place. The typed face of a part of the
 * addon, used by `edge/standing/standing-refusals.ts`.
 */
import { addon } from "../native-addon.ts";
import type { NativeGuard, NativeStanding, StandingFact } from "../native-addon-standing.ts";
import type { AddressSegments } from "./address-segments.ts";
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

/** number, refusal or rule, requests, bytes of content */
const COUNT_NUMBERS = 4;
const COUNTS_TAKEN = 1024;
const counts = new Float64Array(COUNT_NUMBERS * COUNTS_TAKEN);

/** Hot. Is the request that came last one that the front could have answered? @param numbers of the front */
export const isUsual = (numbers: Float64Array): boolean =>
	numbers[AT_KIND] === AT_KIND_PLAIN &&
	numbers[AT_BODY_LENGTH] === 0 &&
	((numbers[AT_FLAGS] ?? 0) & (AT_LAST | AT_HTTP10)) === 0;

/** The number of the listener whose request came last. @param numbers of the front */
export const listenerOf = (numbers: Float64Array): number => numbers[AT_LISTENER] ?? 0;

export const putAddresses = (number: number, v4: AddressSegments, v6: AddressSegments): void =>
	addon.putAddresses(number, v4.starts, v4.lengths, v6.starts, v6.lengths);

export const dropAddresses = (number: number): void => addon.dropAddresses(number);

/** @returns false, and there is none, if a limiter of it is not open */
export const putGuard = (number: number, guard: NativeGuard): boolean =>
	addon.putGuard(number, guard);

export const dropGuard = (number: number): void => addon.dropGuard(number);

export const putStanding = (number: number, standing: NativeStanding): void =>
	addon.putStanding(number, standing);

/** It has met requests that it had to let pass, and is asked again. */
export const wakeStanding = (number: number): void => addon.wakeStanding(number);

export const clearStanding = (): void => addon.clearStanding();

export const dropStanding = (number: number): void => addon.dropStanding(number);

/**
 * What was refused since the last call.
 * @param counted told of each that refused some: by which refusal of its guard; below 0: −1 − a rule, which has let so
 * many pass to a later one
 */
export function takeCounts(
	counted: (number: number, of: number, requests: number, bytes: number) => void,
): void {
	for (let taken = COUNTS_TAKEN; taken === COUNTS_TAKEN; ) {
		taken = addon.takeStanding(counts);
		for (let at = 0; at < taken * COUNT_NUMBERS; at += COUNT_NUMBERS) {
			const [number = 0, of = 0, requests = 0, bytes = 0] = counts.subarray(at, at + COUNT_NUMBERS);
			counted(number, of, requests, bytes);
		}
	}
}

/** @param wanted how many requests are kept until the next call */
export const takeFacts = (wanted: number): StandingFact[] => addon.takeStandingFacts(wanted);

export const clientOf = ({ address }: StandingFact): string =>
	addressIn(address, address.byteLength);
