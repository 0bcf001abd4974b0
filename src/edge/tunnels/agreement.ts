/**
 * Whether a backend's 101 agrees to what it was asked for (contract 6, "Upgrades"; RFC 6455 4.1, RFC 9110 7.8). What
 * does not is no answer that a client could be handed. Called by `upgrade.ts`.
 */
import { acceptFor, elementsOf, WEBSOCKET } from "../../http/upgrade.ts";
import type { Wish } from "./handshake.ts";

/** What a backend has agreed to, or what is wrong with its 101. */
export type Agreement = { readonly protocols: readonly string[] } | { readonly mistake: string };

/** Some backends say `content-length: 0` of a header that can't have a body, and mean it. */
const isSome = (length: string): boolean => length !== "0";

/** @param lines of the 101: name, value, name, value…; names in lower case */
export function agreementOf(wish: Wish, lines: readonly string[]): Agreement {
	const values = (name: string): string[] =>
		lines.filter((_, index) => index % 2 === 1 && lines[index - 1] === name);
	const protocols = elementsOf(values("upgrade"));
	const unasked = protocols.find((each) => !wish.protocols.includes(each));
	if (protocols.length === 0) return { mistake: "its 101 has no upgrade field" };
	if (unasked !== undefined) {
		return { mistake: `its 101 upgrades to ${JSON.stringify(unasked)}, which was not asked for` };
	}
	if (!elementsOf(values("connection")).includes("upgrade")) {
		return { mistake: "its 101 has no connection: upgrade" };
	}
	// RFC 9112 6.3 has no body here; who says there is one may mean to send it, and the client takes it for the tunnel's.
	if (values("transfer-encoding").length > 0 || values("content-length").some(isSome)) {
		return { mistake: "its 101 announces a body" };
	}
	if (protocols.includes(WEBSOCKET)) {
		const accepts = values("sec-websocket-accept");
		if (accepts.length !== 1 || accepts[0] !== acceptFor(wish.key)) {
			return { mistake: "its 101 has no sec-websocket-accept that fits the client's key" };
		}
	}
	return { protocols };
}
