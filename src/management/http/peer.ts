/**
 * Where a request of the API comes from, for its audit line; also behind TLS. Called by `server.ts`, in the synchronous
 * part of the library's handler.
 */
import { addressOf } from "../../http/peer-address.ts";
import { type HttpResponse, libraryFile } from "../../http/uws.ts";
import { addon } from "../../native-addon.ts";
import type { Peer } from "../audit/notes.ts";

const file = libraryFile();
/** The library tells a peer's address and not its port; its C API, where this build exports it, tells both. */
const tellsPorts = file !== undefined && addon.openPeerPorts(file);

export function peerOf(response: HttpResponse): Peer {
	const port = tellsPorts ? addon.peerPort(response) : 0;
	return {
		address: addressOf(response.getRemoteAddress()),
		port: port > 0 ? port : undefined,
	};
}
