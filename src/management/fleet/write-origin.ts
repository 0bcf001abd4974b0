/** In whose name a request writes: what goes into the fleet's log beside the change itself. Used by all handlers that write. */
import type { WriteOrigin } from "../../store/write-queue.ts";
import type { ApiRequest } from "../http/request.ts";

export const originOf = ({ id, identity, fleet }: ApiRequest): WriteOrigin => ({
	at: new Date().toISOString(),
	key: identity?.id,
	keyName: identity?.name,
	requestId: `req_${id}`,
	isAwaited: fleet.waitMs !== undefined,
	onRevision: (revision) => {
		fleet.revision = revision;
	},
});
