/** `/healthz`, `/readyz`, `/metrics`, `/openapi.json`, `/schemas/NAME.json` (contract 2). */

import type { z } from "zod";
import { ApiError } from "../errors.ts";
import { CONTENT_TYPES, metricsFormat } from "../telemetry/exposition.ts";
import type { healthSchema, readinessSchema } from "./answers.ts";
import type { Context } from "./context.ts";
import { documentSchema, SCHEMA_NAMES } from "./document-schemas.ts";
import { HEALTH_PATH } from "./http/public-paths.ts";
import { json, type Reply } from "./http/reply.ts";
import type { Handler, Methods, Route } from "./http/router.ts";
import { openApiDocument } from "./openapi.ts";

const get = (role: Handler["role"], run: Handler["run"]): Methods => ({
	GET: { role, takesBody: false, run },
});

export function operationRoutes({
	ready,
	front,
	managementFront,
	metrics,
	limits,
}: Context): readonly Route[] {
	// made when asked for, because a reload may change the limits
	const policyLimits = () => ({ rulesPerPhase: limits.rules });
	return [
		{
			pattern: HEALTH_PATH,
			methods: get(null, () =>
				json(200, {
					status: "ok",
					front: front(),
					management_front: managementFront(),
				} satisfies z.infer<typeof healthSchema>),
			),
		},
		{ pattern: "/readyz", methods: get("metrics", () => readiness(ready())) },
		{
			pattern: "/metrics",
			methods: get("metrics", async (request) => {
				const format = metricsFormat(request.headers("accept"));
				return {
					status: 200,
					headers: { vary: "accept" },
					body: await metrics(format),
					contentType: CONTENT_TYPES[format],
				};
			}),
		},
		{
			pattern: "/openapi.json",
			methods: get("read", () => json(200, openApiDocument(policyLimits()))),
		},
		...SCHEMA_NAMES.map((name) => ({
			pattern: `/schemas/${name}.json`,
			methods: get("read", () => json(200, documentSchema(name, policyLimits()))),
		})),
	];
}

function readiness(state: boolean | string): Reply {
	if (state === true)
		return json(200, { status: "ready" } satisfies z.infer<typeof readinessSchema>);
	const reason = typeof state === "string" ? state : "No worker serves at the moment.";
	throw new ApiError("ERR_NOT_READY", reason);
}
