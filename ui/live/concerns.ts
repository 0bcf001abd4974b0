/** Which changes matter to whoever looks at one policy. Used by use-policy.ts. */
import type { LiveChanges } from "../../src/management/live/shapes.ts";

/** Whether a change may have changed the policy of this route. */
export function concerns(
	changes: LiveChanges | undefined,
	edgeId: string,
	routeId: string,
): boolean {
	if (changes === undefined) return false;
	const each = changes.changes.some(
		(change) =>
			change.kind !== "ip_list" &&
			change.edge_id === edgeId &&
			(change.route_id === undefined || change.route_id === routeId),
	);
	return each || changes.left_out > 0;
}
