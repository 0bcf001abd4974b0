/** deny (contract 5): answers with a status and an empty body. */
import { z } from "zod";
import { ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { statusCode } from "../document/fields.ts";
import { member } from "../document/members.ts";
import type { Outcome } from "../exchange.ts";
import { type Action, NO_RESULTS, type PreparedAction, type RunnableAction } from "./action.ts";

const DEFAULT_STATUS_CODE = 403;

const config = z.strictObject({
	status_code: statusCode.optional().describe(`Default ${DEFAULT_STATUS_CODE}.`),
});

type Denied = Extract<Outcome, { kind: "deny" }>;

class Deny implements RunnableAction {
	readonly #outcome: Denied;

	constructor(statusCode: number) {
		this.#outcome = Object.freeze({ kind: "deny", statusCode });
	}

	run(): Denied {
		return this.#outcome;
	}

	standing(): Denied {
		return this.#outcome;
	}
}

/** One for each status, whose numbers are few: it is the same in all policies. */
const DENIES = new Map<number, PreparedAction>();

function preparedDeny(statusCode: number): PreparedAction {
	const known = DENIES.get(statusCode);
	if (known !== undefined) return known;
	const action = new Deny(statusCode);
	const prepared = (): RunnableAction => action;
	const { statusCodeMin, statusCodeMax } = LIMITS;
	const isStatus =
		Number.isInteger(statusCode) && statusCode >= statusCodeMin && statusCode <= statusCodeMax;
	if (isStatus) DENIES.set(statusCode, prepared);
	return prepared;
}

export const deny: Action<typeof config> = {
	config,
	defaults: { status_code: DEFAULT_STATUS_CODE },
	phases: ["inbound"],
	ends: { when: "always", with: "refusal" },
	changes: [],
	texts: {},
	results: NO_RESULTS,
	lints: [],
	prepare(submitted) {
		const given = member(submitted, "status_code");
		const statusCode = typeof given === "number" ? given : DEFAULT_STATUS_CODE;
		return ok(preparedDeny(statusCode));
	},
	documentation: {
		purpose:
			"Refuses a request. It is the cheapest way to do so: the answer is made once, when the policy is loaded, and no " +
			"backend is asked.",
		effect: "The client gets `status_code` with an empty body.",
		example: {
			document: {
				inbound: [
					{
						name: "The admin pages are for the office",
						expressions: [
							"req.url.path.startsWith('/admin')",
							"!inCidrRange(conn.client_ip, '10.0.0.0/8')",
						],
						actions: [{ type: "deny", config: { status_code: 404 } }],
					},
				],
			},
			requests: [
				{ url: "http://shop.example/admin/users", clientIp: "192.0.2.7", becomes: "404" },
				{ url: "http://shop.example/admin/users", clientIp: "10.1.2.3", becomes: "passes" },
				{ url: "http://shop.example/cart", clientIp: "192.0.2.7", becomes: "passes" },
			],
		},
	},
};
