/** deny (contract 5): answers with a status and an empty body. */
import { ok } from "../../errors.ts";
import type { Outcome } from "../exchange.ts";
import { member, type Prepare } from "./action.ts";

const DEFAULT_STATUS_CODE = 403;

export const prepareDeny: Prepare = (config) => {
	const submitted = member(config, "status_code");
	const statusCode = typeof submitted === "number" ? submitted : DEFAULT_STATUS_CODE;
	const outcome: Outcome = Object.freeze({ kind: "deny", statusCode });
	const action = { run: () => outcome };
	return ok(() => action);
};
