/**
 * `GET /decisions/{request-id}`: why a request was refused, or explained, by the id that its answer and its line in the log have
 * (contract 2, "Decisions").
 */
import { ApiError } from "../../errors.ts";
import type { Context } from "../context.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";

export const DECISIONS_PATH = "/decisions";

export const decisionMethods = ({ live }: Pick<Context, "live">): Methods => ({
	GET: {
		role: "read",
		takesBody: false,
		async run(_request, { key }) {
			// an id may hold a slash
			const decision = await live.decision(key.join("/"));
			if (decision !== undefined) return json(200, decision);
			throw new ApiError(
				"ERR_DECISION_NOT_FOUND",
				"Nothing is known of a request with this id: it was neither refused nor explained, or it is too long ago.",
			);
		},
	},
});
