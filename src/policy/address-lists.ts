/**
 * The port through which restrict-ips asks stored address lists. `edge/policies/address-lists.ts` implements it over the
 * store, tests implement it with a plain object. A list that changes is the same object with another set, so that no
 * policy is compiled or opened for that.
 */
import type { AddressSegments } from "../http/address-segments.ts";

export interface AddressList {
	readonly set: AddressesHeld;
}

export interface AddressesHeld {
	/** what it is made of, for those who ask elsewhere; undefined: that can't be handed over */
	readonly v4?: AddressSegments | undefined;
	readonly v6?: AddressSegments | undefined;
	/** Hot. @returns false if `text` is no address */
	has(text: string): boolean;
	/** the narrowest range with the address, in its one spelling; undefined: it is in none */
	find(text: string): string | undefined;
}

export interface AddressLists {
	/** undefined: there is none of this name */
	find(name: string): AddressList | undefined;
}
