/** The one table of actions: how each is prepared, and whether anything in its rule can run after it. */
import type { ActionType } from "../document/schema.ts";
import type { Prepare } from "./action.ts";
import { prepareCustomResponse } from "./custom-response.ts";
import { prepareDeny } from "./deny.ts";
import { prepareLog } from "./log.ts";
import { prepareRateLimit } from "./rate-limit.ts";
import { prepareUrlRewrite } from "./url-rewrite.ts";

export interface ActionKind {
	readonly prepare: Prepare;
	/** ends the phase whenever it runs (contract 4); rate-limit does so only when it is over */
	readonly terminal: boolean;
}

export const ACTIONS: Readonly<Record<ActionType, ActionKind>> = {
	"url-rewrite": { prepare: prepareUrlRewrite, terminal: false },
	"custom-response": { prepare: prepareCustomResponse, terminal: true },
	deny: { prepare: prepareDeny, terminal: true },
	log: { prepare: prepareLog, terminal: false },
	"rate-limit": { prepare: prepareRateLimit, terminal: false },
};

export const isActionType = (type: unknown): type is ActionType =>
	typeof type === "string" && Object.hasOwn(ACTIONS, type);
