/** The native upstream as tests make it: its names are resolved by the system, and nobody hears of those that fail. */
import { NameResolver } from "../../src/upstream/names/name-resolver.ts";
import { nativeUpstreamFactory } from "../../src/upstream/native/native-upstream.ts";

export const createNativeUpstream = nativeUpstreamFactory(
	new NameResolver({ onLookupFailed: () => {} }),
);
