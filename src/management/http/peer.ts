/**
 * Where a request of the API comes from, for its audit line; also behind TLS. Called by `server.ts`, in the synchronous
 * part of the library's handler.
 */
import { addressText, ipv4Number, parseAddress } from "../../http/ip-address.ts";
import { type HttpResponse, libraryFile } from "../../http/uws.ts";
import { addon } from "../../native-addon.ts";
import type { Peer } from "../audit/notes.ts";

const file = libraryFile();
/** The library tells a peer's address and not its port; its C API, where this build exports it, tells both. */
const tellsPorts = file !== undefined && addon.openPeerPorts(file);

export function peerOf(response: HttpResponse): Peer {
	const text = Buffer.from(response.getRemoteAddressAsText()).toString("latin1");
	const port = tellsPorts ? addon.peerPort(response) : 0;
	return {
		address: spelled(text),
		port: port > 0 ? port : undefined,
	};
}

function spelled(text: string): string {
	// is what it would become
	if (ipv4Number(text) >= 0) return text;
	const address = parseAddress(text);
	return address === undefined ? text : addressText(address);
}
