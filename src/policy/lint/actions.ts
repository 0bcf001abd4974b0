/**
 * What lint can tell of one action by its config. `ACTION_LINTS` is the table: another lint is a function in a
 * file of its own and a row here. Called by `lint.ts`.
 */

import { clientControlledKeys } from "../actions/rate-limit/lint.ts";
import { rewriteMistakes } from "../actions/url-rewrite/lint.ts";
import type { ActionDocument } from "../document/schema.ts";
import type { Finding } from "./finding.ts";

const ACTION_LINTS: readonly ((action: ActionDocument) => readonly Finding[])[] = [
	rewriteMistakes,
	clientControlledKeys,
];

/** Paths are within the action's config. */
export const inspectAction = (action: ActionDocument): readonly Finding[] =>
	ACTION_LINTS.flatMap((lint) => lint(action));
