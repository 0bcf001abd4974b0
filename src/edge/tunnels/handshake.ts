/**
 * Whether a request asks for another protocol than HTTP, and whether it may (contract 6, "Upgrades"; RFC 6455 4.1 and
 * 4.2.1; RFC 9110 7.8). Called by `pipeline.ts` when the inbound rules have let the request pass, so that what rules
 * take away counts.
 */
import type { HeaderLines } from "../../cel/attributes.ts";
import { elementsOf, isWebSocketKey, protocolsIn, WEBSOCKET } from "../../http/upgrade.ts";
import {
	badHandshake,
	type LocalReply,
	NO_UPGRADE,
	WEBSOCKET_VERSION,
} from "../response/local-replies.ts";

/** What a client asks for, and what its backend is asked for. */
export interface Wish {
	/** in lower case, at least one */
	readonly protocols: readonly string[];
	/** of a WebSocket; empty: none is asked for */
	readonly key: string;
}

/** As much of a request as decides. */
export interface AskingRequest {
	readonly method: string;
	readonly head: { readonly upgrade: boolean; readonly bodyLength: number };
	readonly client: { readonly isHttp10: boolean; readonly isFront: boolean };
	readonly requestHeaders: HeaderLines;
}

const NO_GET = badHandshake("a WebSocket handshake is a GET request");
const HTTP10 = badHandshake("a WebSocket handshake needs HTTP/1.1; the request came in HTTP/1.0");
const NO_OPTION = badHandshake(
	"a WebSocket handshake needs connection: upgrade; a proxy on the way may have taken it off",
);
const BODY = badHandshake("a WebSocket handshake has no body");
const BAD_KEY = badHandshake(
	"a WebSocket handshake needs one sec-websocket-key with 16 bytes in base64",
);
const VERSION = "13";

/**
 * Hot: most requests have no `upgrade` field.
 * @returns undefined if the request is to be proxied as any other; or why it is refused
 */
export function wishOf(request: AskingRequest): Wish | LocalReply | undefined {
	if (!request.head.upgrade) return undefined;
	const { requestHeaders, client, head } = request;
	const protocols = protocolsIn(requestHeaders.lines("upgrade"));
	if (protocols.length === 0) return undefined;
	const isAsked = elementsOf(requestHeaders.lines("connection")).includes("upgrade");
	// Without both it is a field that nobody is to heed (RFC 9110 7.8); with the key, a handshake that lost something.
	const isHandshake = isAsked || requestHeaders.lines("sec-websocket-key").length > 0;
	if (isHandshake && protocols.includes(WEBSOCKET)) {
		const refusal = refusalOf(request, isAsked);
		if (refusal !== undefined) return refusal;
		if (!client.isFront) return NO_UPGRADE;
		return { protocols, key: requestHeaders.lines("sec-websocket-key")[0] ?? "" };
	}
	// Whoever gets such a field may ignore it (RFC 9110 7.8), and has to in HTTP/1.0.
	if (!isAsked || client.isHttp10 || head.bodyLength !== 0 || !client.isFront) return undefined;
	return { protocols, key: "" };
}

function refusalOf(request: AskingRequest, isAsked: boolean): LocalReply | undefined {
	const { method, head, client, requestHeaders } = request;
	if (method !== "GET") return NO_GET;
	if (client.isHttp10) return HTTP10;
	if (!isAsked) return NO_OPTION;
	if (head.bodyLength !== 0) return BODY;
	const versions = requestHeaders.lines("sec-websocket-version");
	if (versions.length !== 1 || versions[0] !== VERSION) return WEBSOCKET_VERSION;
	const keys = requestHeaders.lines("sec-websocket-key");
	if (keys.length !== 1 || !isWebSocketKey(keys[0] ?? "")) return BAD_KEY;
	return undefined;
}
