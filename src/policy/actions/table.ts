/**
 * The one table of actions, by the type that documents name them with. Their order is the order in which problems and
 * the published schema list them.
 */
import type { z } from "zod";
import type { Phase } from "../../cel/expression.ts";
import type { Action } from "./action.ts";
import { addHeaders } from "./add-headers.ts";
import { basicAuth } from "./basic-auth.ts";
import { closeConnection } from "./close-connection.ts";
import { cors } from "./cors.ts";
import { customResponse } from "./custom-response.ts";
import { deny } from "./deny.ts";
import { log } from "./log.ts";
import { rateLimit } from "./rate-limit.ts";
import { redirect } from "./redirect.ts";
import { removeHeaders } from "./remove-headers.ts";
import { restrictIps } from "./restrict-ips.ts";
import { setVars } from "./set-vars.ts";
import { urlRewrite } from "./url-rewrite.ts";

export const ACTIONS = {
	"url-rewrite": urlRewrite,
	"custom-response": customResponse,
	deny,
	log,
	"rate-limit": rateLimit,
	"set-vars": setVars,
	"add-headers": addHeaders,
	"remove-headers": removeHeaders,
	redirect,
	cors,
	"restrict-ips": restrictIps,
	"basic-auth": basicAuth,
	"close-connection": closeConnection,
} as const;

export type ActionType = keyof typeof ACTIONS;

/** An action as a valid document holds it. */
export type ActionDocument = {
	[Type in ActionType]: {
		readonly type: Type;
		readonly config: z.infer<(typeof ACTIONS)[Type]["config"]>;
	};
}[ActionType];

export const isActionType = (type: unknown): type is ActionType =>
	typeof type === "string" && Object.hasOwn(ACTIONS, type);

/** Every type, in the table's order. */
export const EVERY_TYPE: readonly ActionType[] = Object.keys(ACTIONS).filter(isActionType);

export const actionOf = (type: ActionType): Action => ACTIONS[type];

/** Types of actions that rules of a phase may have (contract 3). */
export const ACTION_TYPES: Readonly<Record<Phase, readonly ActionType[]>> = {
	inbound: typesIn("inbound"),
	outbound: typesIn("outbound"),
};

function typesIn(phase: Phase): readonly ActionType[] {
	return EVERY_TYPE.filter((type) => actionOf(type).phases.includes(phase));
}
