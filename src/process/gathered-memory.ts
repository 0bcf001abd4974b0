/**
 * Has V8's memory lie side by side (`native/src/address_room.h`), for what this process allocates from now on. To be called
 * before anything large is loaded. Called by `main.ts` for the supervisor and by
 * `worker/worker-entry.ts`.
 */
import { addon } from "../native-addon.ts";

export const gatherMemory = (): void => {
	addon.takeDrawnAddresses();
};
