/** Says that a worker's event loop turns (`process/supervisor/heartbeat.ts`). Called by `worker.ts`. */
import { LIMITS } from "../../limits/limits.ts";
import type { ToSupervisor } from "../messages.ts";

/** Not again before the last one is on its way. */
export function beat(): void {
	let isOnItsWay = false;
	setInterval(() => {
		if (isOnItsWay || !process.connected) return;
		isOnItsWay = true;
		process.send?.({ type: "alive" } satisfies ToSupervisor, () => {
			isOnItsWay = false;
		});
	}, LIMITS.heartbeatMs).unref();
}
