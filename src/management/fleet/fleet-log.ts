/** `GET /fleet/log` (contract 2, "Fleet"): who changed what and when, newest first; keys of documents, not the documents. */
import { ApiError } from "../../errors.ts";
import type { LogEntry } from "../../fleet/fleet.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Context } from "../context.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { numberIn } from "../resources/pages.ts";
import type { FleetLogPage } from "./fleet-answers.ts";
import { FLEET_PATH } from "./fleet-view.ts";
import { revisionIn } from "./wait-parameters.ts";

export const FLEET_LOG_PATH = `${FLEET_PATH}/log`;

export const noFleet = (): ApiError =>
	new ApiError(
		"ERR_NO_FLEET",
		"This machine is in no fleet; `fleet:` in its configuration names one.",
	);

export const fleetLogMethods = ({ fleet }: Pick<Context, "fleet">): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		async run(request) {
			const query = new URLSearchParams(request.query);
			const limit = numberIn(query, "limit", 1, LIMITS.pageSize, LIMITS.pageSize);
			const before = revisionIn(query, "before");
			if (fleet === undefined) throw noFleet();
			const entries = await fleet.history(limit, before);
			const oldest = entries.at(-1)?.revision ?? 1;
			const hasMore = entries.length === limit && oldest > 1;
			const page: FleetLogPage = {
				entries: entries.map(presented),
				next_page_uri: hasMore ? `${FLEET_LOG_PATH}?limit=${limit}&before=${oldest}` : null,
			};
			return json(200, page);
		},
	},
});

function presented(entry: LogEntry): FleetLogPage["entries"][number] {
	const { revision, at, key, member, operations, isVoid } = entry;
	const told = operations.slice(0, LIMITS.fleetOperationsTold);
	return {
		...{ revision, at, member },
		key_id: key ?? null,
		void: isVoid,
		operations: told.map(([kind, name]) => ({ kind, key: name })),
		operations_left_out: operations.length - told.length,
	};
}
