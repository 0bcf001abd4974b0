/**
 * Decides by the client's address: by the ranges that are known, by stored lists as they are at the moment, and last by
 * entries that have to be filled in for the request. Made by `restrict-ips.ts`, one object for each action of a policy.
 */
import type { Settled, Suspension, Template } from "../../../cel/expression.ts";
import { addressRangeOf, holdsAddress } from "../../../http/address-range.ts";
import type { AddressSet } from "../../../http/address-set.ts";
import type { AddressList } from "../../address-lists.ts";
import type { Outcome, Place, PolicyExchange, StandingRestriction } from "../../exchange.ts";
import { CONTINUE, FAILED } from "../../outcomes.ts";
import type { ActionContext, RunnableAction } from "../action.ts";
import { rendered } from "../rendered.ts";
import { isRead, leave } from "../results.ts";

/** What is said in `allow`, or in `deny`. */
export interface Entries {
	readonly set: AddressSet;
	/** as submitted, by the spelling that the set tells them in */
	readonly texts: ReadonlyMap<string, string>;
	/** entries that are known with the request only */
	readonly templates: readonly Template[];
	/** names of stored lists */
	readonly lists: readonly string[];
}

const REFUSED = Object.freeze({ kind: "refused", reason: "address", headers: [] } as const);

export class RestrictIps implements RunnableAction {
	readonly #allow: RunnableEntries;
	readonly #deny: RunnableEntries;
	readonly #allowsAll: boolean;
	readonly #enforce: boolean;
	readonly #place: Place;
	readonly #isRead: boolean;

	constructor(allow: Entries, deny: Entries, enforce: boolean, context: ActionContext) {
		this.#allow = runnable(allow, context);
		this.#deny = runnable(deny, context);
		this.#allowsAll = allow.texts.size + allow.templates.length + allow.lists.length === 0;
		this.#enforce = enforce;
		this.#place = context.place;
		this.#isRead = isRead("restrict-ips", context);
	}

	run(exchange: PolicyExchange, settled?: Settled): Outcome | Suspension {
		const denied = this.#match(this.#deny, exchange, settled);
		if (typeof denied === "object") return denied;
		const isDenied = denied !== undefined;
		const allowed =
			isDenied || this.#allowsAll ? undefined : this.#match(this.#allow, exchange, settled);
		if (typeof allowed === "object") return allowed;
		const passes = !isDenied && (this.#allowsAll || allowed !== undefined);
		if (this.#isRead) {
			const action = passes ? "allow" : "deny";
			leave(exchange, "restrict-ips", { action, matched_cidr: denied ?? allowed ?? "" });
		}
		if (passes) return CONTINUE;
		if (this.#enforce) return REFUSED;
		exchange.wouldHave(this.#place, "restrict-ips");
		return CONTINUE;
	}

	/** Where entries are known without the request, it acts, and nobody reads what it leaves. */
	standing(): StandingRestriction | undefined {
		const sides = [this.#allow, this.#deny];
		if (!this.#enforce || this.#isRead || sides.some(({ templates }) => templates.length > 0))
			return undefined;
		const [allow = [], deny = []] = sides.map(({ set, texts, lists }) => [
			...(texts.size > 0 ? [set] : []),
			...lists.map((list) => list.set),
		]);
		const { kind, reason, headers } = REFUSED;
		return { kind, reason, headers, allow, deny, allowsAll: this.#allowsAll };
	}

	/** The text of the entry that holds the address, empty where nobody reads it; undefined if none does. */
	#match(
		{ set, texts, templates, lists }: RunnableEntries,
		exchange: PolicyExchange,
		settled: Settled | undefined,
	): string | undefined | Outcome | Suspension {
		const { clientIp } = exchange;
		if (texts.size > 0 && set.has(clientIp)) {
			if (!this.#isRead) return "";
			const found = set.find(clientIp) ?? "";
			return texts.get(found) ?? found;
		}
		for (let at = 0; at < lists.length; at++) {
			const held = lists[at]?.set;
			if (held?.has(clientIp) === true) return this.#isRead ? (held.find(clientIp) ?? "") : "";
		}
		for (const template of templates) {
			const entry = rendered(template, exchange, this.#place, settled);
			if (typeof entry !== "string") return entry;
			const range = addressRangeOf(entry);
			if (!range.ok) {
				exchange.expressionFailed(this.#place, range.error);
				return FAILED;
			}
			if (holdsAddress(range.value, clientIp)) return entry;
		}
		return undefined;
	}
}

type RunnableEntries = Omit<Entries, "lists"> & { readonly lists: readonly AddressList[] };

/** @throws Error there is no such list, so the policy can't be run */
const runnable = ({ lists, ...entries }: Entries, context: ActionContext): RunnableEntries => ({
	...entries,
	lists: lists.map((name) => {
		const list = context.addressLists?.find(name);
		if (list !== undefined) return list;
		throw new Error(`the policy names the address list ${name}, and there is none`);
	}),
});
