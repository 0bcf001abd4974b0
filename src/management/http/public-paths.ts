/**
 * Paths that are treated unlike others. Without a key can be read: the health check, and the files of the live page, whose
 * login happens in the page. Asked by `admission.ts` and by audit/audit-line.ts.
 */
export const HEALTH_PATH = "/healthz";
export const UI_PATH = "/ui";

/** POST, because they take a document, and yet they change nothing. */
export const POLICY_CHECK_PATH = "/policy/check";
export const EXPLAIN_PATH = "/explain";
/** behind the path of a policy */
export const POLICY_EXPLAIN = "/policy/explain";

export const isAskingPath = (path: string): boolean =>
	path === POLICY_CHECK_PATH || path === EXPLAIN_PATH || path.endsWith(POLICY_EXPLAIN);

export const isPublicPath = (path: string): boolean =>
	path === HEALTH_PATH || path === UI_PATH || path.startsWith(`${UI_PATH}/`);
