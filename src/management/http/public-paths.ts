/**
 * Paths that are read without a key: the health check, and the files of the live page, whose login happens in the page.
 * Asked by `admission.ts`.
 */
export const HEALTH_PATH = "/healthz";
export const UI_PATH = "/ui";

export const isPublicPath = (path: string): boolean =>
	path === HEALTH_PATH || path === UI_PATH || path.startsWith(`${UI_PATH}/`);
