/**
 * The one module that imports uWebSockets.js; the data path and the management API both build on it.
 * Upstream's own build exports CommonJS, the registry's repack ES modules: both are accepted, so that a
 * newer build installed under the same name needs no change here.
 *
 * The library reads its header limit from the environment when it loads, hence the dynamic import.
 */

import type * as uws from "uWebSockets.js";
import { createRequire } from "node:module";
import { LIMITS } from "../limits/limits.ts";

/** The variable of the environment in which the library looks for the bytes that a request header may have. */
export const HEADER_BYTES_VARIABLE = "UWS_HTTP_MAX_HEADERS_SIZE";
process.env[HEADER_BYTES_VARIABLE] ??= String(LIMITS.requestHeaderBytes);

/** Bytes that a request header may have: what the configuration says, and never less than expressions reckon with. */
export const HEADER_BYTES_MAX = Math.max(
	LIMITS.requestHeaderBytes,
	Number(process.env[HEADER_BYTES_VARIABLE]),
);

type Library = typeof uws & {
	/** undocumented switch; `silent` leaves out the `uWebSockets` response header */
	_cfg?: (key: string) => void;
};
const loaded: Library & { default?: Library } = await import("uWebSockets.js");
const library: Library = loaded.App === undefined && loaded.default ? loaded.default : loaded;
library._cfg?.("silent");

/** Bytes that the library gathers before it sends. More in one piece is sent, and a socket that is to be closed then closed, at once. */
export const CORK_BYTES = 16_384;

/** The compiled part of the library that is loaded; undefined if there is none to be found. */
export const libraryFile = (): string | undefined =>
	Object.keys(createRequire(import.meta.url).cache).find((file) =>
		/[\\/]uws_[^\\/]+\.node$/.test(file),
	);

export const { App, SSLApp, us_listen_socket_close, us_socket_local_port } = library;
export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from "uWebSockets.js";
