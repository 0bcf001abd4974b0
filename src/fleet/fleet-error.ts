/** Why a fleet refuses a write, with the code that management answers (docs/fleet.md, "Writes"). Thrown by the queue. */
export class FleetError extends Error {
	override readonly name = "FleetError";
	readonly code:
		| "ERR_FLEET_READ_ONLY"
		| "ERR_FLEET_LEVEL"
		| "ERR_FLEET_UNAVAILABLE"
		| "ERR_FLEET_UNCERTAIN"
		| "ERR_STORE_FULL"
		| "ERR_BODY_TOO_LARGE";
	constructor(code: FleetError["code"], message: string) {
		super(message);
		this.code = code;
	}
}
