/**
 * What holds for one backend: the options of all, but for what its document says. Used by both implementations
 * of `Upstream`.
 */
import type { BackendDocument } from "../store/resources.ts";
import type { UpstreamOptions } from "./upstream.ts";

export const backendOptions = (
	document: BackendDocument,
	options: UpstreamOptions,
): UpstreamOptions => ({
	...options,
	connectTimeoutMs: document.connect_timeout_ms ?? options.connectTimeoutMs,
	responseTimeoutMs: document.response_timeout_ms ?? options.responseTimeoutMs,
	connections: document.max_connections ?? options.connections,
});
