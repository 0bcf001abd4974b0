/** `DELETE /fleet/members/{member_id}` (contract 2, "Fleet"): a machine that is gone for good is forgotten. */
import { ApiError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { NO_CONTENT } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { noFleet } from "./fleet-log.ts";

export const fleetMemberMethods = ({ fleet }: Pick<Context, "fleet">): Methods => ({
	DELETE: {
		operation: "forgetMember",
		role: "admin",
		takesBody: false,
		isLocal: true,
		async run(request, { memberId }) {
			if (fleet === undefined) throw noFleet();
			const members = await fleet.members();
			if (members.every(({ status }) => status.id !== memberId)) {
				throw new ApiError(
					"ERR_FLEET_MEMBER_NOT_FOUND",
					`The fleet knows no member "${memberId}"; GET /fleet lists those that it knows, with their ids.`,
				);
			}
			await fleet.forget(memberId);
			request.notes.done = "deleted";
			return NO_CONTENT;
		},
	},
});
