/** What a request wants of the fleet and what came of its write there. Each `ApiRequest` has one. */
export class FleetNotes {
	/** `?wait=fleet`: milliseconds that it wants to wait until all machines have its change */
	waitMs: number | undefined;
	/** revision that its write became; undefined: none, or this machine is in no fleet */
	revision: number | undefined;
}
