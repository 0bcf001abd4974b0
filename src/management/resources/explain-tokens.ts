/**
 * `POST /explain-tokens`: a token with which real requests are explained (contract 2, "Explain"). It has this machine do
 * more for requests than they ask for, and shows what they bring: so it takes the role `admin` and leaves an audit line.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { ApiError } from "../../errors.ts";
import { type ExplainTokenAnswer, explainTokenSchema } from "../../explain/live/token-schemas.ts";
import { EXPLAIN_FIELD } from "../../http/fields.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { Context } from "../context.ts";
import { json, type Reply, refusedDocument } from "../http/reply.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Methods } from "../http/router.ts";
import { documentIn } from "./documents.ts";

export const EXPLAIN_TOKENS_PATH = "/explain-tokens";

type WithTokens = Pick<Context, "explainTokens" | "requestIdHeader">;

export const explainTokenMethods = (context: WithTokens): Methods => ({
	POST: {
		operation: "createExplainToken",
		isLocal: true,
		role: "admin",
		takesBody: true,
		run: (request, _ids, body) => created(context, request, body),
	},
});

/** Anybody's requests would be more than one wants to see, and more than one may want to show. */
const UNBOUND = {
	pointer: "",
	code: "required",
	message:
		'name whose requests are to be explained: "client_ip" (0.0.0.0/0 is any), "header", or both',
};

async function created(
	{ explainTokens, requestIdHeader }: WithTokens,
	request: ApiRequest,
	body: Uint8Array,
): Promise<Reply> {
	const wish = documentIn(body, explainTokenSchema, {}, "token");
	const { client_ip: clientIp, header, ttl_seconds: ttlSeconds, requests } = wish;
	if (clientIp === undefined && header === undefined) throw refusedDocument("token", [UNBOUND]);
	const bound = header && { name: asciiLowerCase(header.name), value: header.value };
	const issued = await explainTokens.issue({ clientIp, header: bound, ttlSeconds, requests });
	if (issued === undefined)
		throw new ApiError(
			"ERR_TOO_MANY_EXPLAIN_TOKENS",
			`There are ${LIMITS.explainTokens} tokens already; use one of them, or ask again when one has expired.`,
		);
	request.notes.done = "created";
	return json(200, {
		token: issued.token,
		header: EXPLAIN_FIELD,
		expires_at: new Date(issued.untilMs).toISOString(),
		request_id_header: requestIdHeader(),
	} satisfies ExplainTokenAnswer);
}
