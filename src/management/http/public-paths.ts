/**
 * Paths that are treated unlike others. Without a key can be read: the health check, and the files of the live page, whose
 * login happens in the page. Asked by `admission.ts` and by audit/audit-line.ts.
 */
export const HEALTH_PATH = "/healthz";
export const UI_PATH = "/ui";

/** POST, because it takes a document, and yet it changes nothing. */
export const POLICY_CHECK_PATH = "/policy/check";

export const isPublicPath = (path: string): boolean =>
	path === HEALTH_PATH || path === UI_PATH || path.startsWith(`${UI_PATH}/`);
