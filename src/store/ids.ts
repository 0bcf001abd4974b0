/**
 * Ids of edges, routes and address lists (contract 2): how they are written in paths, in files of resources and in what
 * is published of both. Used by management/http/router.ts, by the other parts of management/ that read paths or
 * describe them, and by process/apply/resources.ts.
 */
import { LIMITS } from "../limits/limits.ts";

/** Clients take these out of a path before they send it (RFC 3986 5.2.4), so nobody could ask for what has such an id. */
const DOTS = "\\.{1,2}";

/** Source of a pattern: an id, in a path where another may follow it. */
export const ID_PATTERN = `(?!${DOTS}(?:/|$))[A-Za-z0-9_.-]{1,${LIMITS.idCharacters}}`;

const ID = new RegExp(`^${ID_PATTERN}$`);
const ONLY_DOTS = new RegExp(`^${DOTS}$`);

export const isId = (id: string): boolean => ID.test(id);

/** As ids once could be: what has one can be deleted. */
export const isFormerId = (id: string): boolean => ONLY_DOTS.test(id);
