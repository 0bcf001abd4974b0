/**
 * What an API key may do (contract 2, "Roles"). Each role may do what those behind it in the list may. Used by the
 * management API, which names the role that an operation needs, and by `weir keys`.
 */

/** `admin` may do everything, `read` may GET, `metrics` may ask for metrics and readiness alone. */
export const KEY_ROLES = ["admin", "read", "metrics"] as const;

export type KeyRole = (typeof KEY_ROLES)[number];

/** @param needed by an operation */
export const roleSuffices = (role: KeyRole, needed: KeyRole): boolean =>
	KEY_ROLES.indexOf(role) <= KEY_ROLES.indexOf(needed);
