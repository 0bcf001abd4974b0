/**
 * Which implementation of `Upstream` a backend gets: the native client if all its URLs are plain HTTP, undici if
 * one of them is HTTPS. Called by process/worker/worker.ts.
 */
import { NameResolver } from "./names/name-resolver.ts";
import { nativeUpstreamFactory } from "./native/native-upstream.ts";
import { createUndiciUpstream } from "./undici/undici-upstream.ts";
import type { UpstreamFactory } from "./upstream.ts";

/** @param onLookupFailed for logs: a name of a backend could not be resolved */
export const upstreamFactory = (
	onLookupFailed: (name: string, message: string) => void,
): UpstreamFactory => {
	const createNativeUpstream = nativeUpstreamFactory(new NameResolver({ onLookupFailed }));
	return (backend, options) => {
		const isPlain = backend.urls.every((url) => new URL(url).protocol === "http:");
		return (isPlain ? createNativeUpstream : createUndiciUpstream)(backend, options);
	};
};
