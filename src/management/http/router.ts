/**
 * From method and path to a handler. The table is small and flat: patterns of literal segments and ids.
 * Segments are percent-decoded once before they are compared; an id that is none is 400, an unknown path
 * 404, a method that a known path does not have 405 with `allow`. `HEAD` is answered wherever `GET` is.
 */
import { ApiError } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { isFormerId, isId } from "../../store/ids.ts";
import type { KeyRole } from "../../store/key-roles.ts";
import type { Reply } from "./reply.ts";
import type { ApiRequest } from "./request.ts";

export interface Ids {
	readonly edgeId: string;
	readonly routeId: string;
	readonly listId: string;
	/** which rate-limit of a policy */
	readonly limit: string;
	/** of a fleet */
	readonly memberId: string;
	/** of a policy */
	readonly version: string;
	/** decoded segments of the path behind all others */
	readonly key: readonly string[];
}

/** What a request is about, as far as method and path tell. */
export interface Subject {
	/** of the API's description; undefined if there is no such operation, or it changes nothing */
	readonly operation: string | undefined;
	readonly edgeId: string | undefined;
	readonly routeId: string | undefined;
	readonly listId: string | undefined;
	readonly limit: string | undefined;
	readonly memberId: string | undefined;
	/** false if the path has an id that can't be one */
	readonly hasIds: boolean;
}

export interface Handler {
	/** of an operation that changes something: its name in the API's description (`openapi.ts`) */
	readonly operation?: string;
	/** the least role that a key must have; null: none is asked for one, nor for a key */
	readonly role: KeyRole | null;
	/** the body is read, must be `application/json`, and is handed over; else it is ignored */
	readonly takesBody: boolean;
	/** the body may be YAML as well */
	readonly takesYaml?: true;
	/** what it changes is this machine's alone, and nothing of the store */
	readonly isLocal?: true;
	/** bytes that the body may have, where that is more than the configuration says of bodies */
	readonly bodyBytes?: number;
	run(request: ApiRequest, ids: Ids, body: Uint8Array): Reply | Promise<Reply>;
}

export type Methods = Readonly<Record<string, Handler>>;

export interface Route {
	/** `{edge_id}`, `{id}`, `{list_id}`, `{limit}`, `{member_id}` and `{version}` stand for ids, `{key}` at the end for any number of any texts */
	readonly pattern: string;
	readonly methods: Methods;
}

/** A known path with a method that it does not have; the answer names those it has. */
export class MethodNotAllowed extends ApiError {
	readonly allow: string;

	private constructor(message: string, allow: string) {
		super("ERR_METHOD_NOT_ALLOWED", message);
		this.allow = allow;
	}

	static of(methods: Methods): MethodNotAllowed {
		const names = Object.keys(methods).flatMap((name) =>
			name === "GET" ? ["GET", "HEAD"] : [name],
		);
		const allow = names.join(", ");
		return new MethodNotAllowed(`This path has the methods ${allow}.`, allow);
	}

	/** On whatever path: any has others. */
	static anywhere(message: string): MethodNotAllowed {
		return new MethodNotAllowed(message, "GET, HEAD, POST, PUT, DELETE");
	}
}

const EDGE_ID = "{edge_id}";
const ROUTE_ID = "{id}";
const LIST_ID = "{list_id}";
const LIMIT = "{limit}";
const MEMBER_ID = "{member_id}";
const VERSION = "{version}";
const KEY = "{key}";
/** of a path: those of a rate-limit's key come behind eight others */
const SEGMENTS_MAX = 9 + LIMITS.bucketKeyElements;
const PLACEHOLDERS = [EDGE_ID, ROUTE_ID, LIST_ID, LIMIT, MEMBER_ID, VERSION];

interface Known {
	readonly parts: readonly string[];
	readonly methods: Methods;
}

interface Found {
	readonly segments: readonly (string | undefined)[];
	readonly route: Known | undefined;
}

export class Router {
	readonly #routes: readonly Known[];
	/** of the path that was looked for last */
	#last: { readonly path: string; readonly found: Found } | undefined;

	constructor(routes: readonly Route[]) {
		this.#routes = routes.map(({ pattern, methods }) => ({ parts: pattern.split("/"), methods }));
	}

	/** @throws ApiError 400, 404, 405 */
	find(method: string, path: string): { readonly handler: Handler; readonly ids: Ids } {
		const { segments, route } = this.#routeOf(path);
		if (route === undefined) throw new ApiError("ERR_NOT_FOUND", "There is nothing at this path.");
		const name = method === "HEAD" ? "GET" : method;
		if (!Object.hasOwn(route.methods, name)) throw MethodNotAllowed.of(route.methods);
		const handler = route.methods[name];
		if (handler === undefined) throw MethodNotAllowed.of(route.methods);
		const idAt = (placeholder: string): string => {
			const index = route.parts.indexOf(placeholder);
			return index < 0 ? "" : validId(segments[index], name);
		};
		const ids = {
			edgeId: idAt(EDGE_ID),
			routeId: idAt(ROUTE_ID),
			listId: idAt(LIST_ID),
			limit: idAt(LIMIT),
			memberId: idAt(MEMBER_ID),
			version: idAt(VERSION),
			key: keyIn(route.parts, segments),
		};
		return { handler, ids };
	}

	/** For the log: also of requests that `find` refuses, or that were refused before it was asked. */
	subjectOf(method: string, path: string): Subject {
		const { segments, route } = this.#routeOf(path);
		const methods = route?.methods ?? {};
		const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
		const at = (placeholder: string) => route?.parts.indexOf(placeholder) ?? -1;
		const idAt = (placeholder: string) => {
			const id = segments[at(placeholder)];
			return id !== undefined && isId(id) ? id : undefined;
		};
		const ids = PLACEHOLDERS.map(idAt);
		const [edgeId, routeId, listId, limit, memberId] = ids;
		const hasIds = PLACEHOLDERS.every(
			(placeholder, index) => at(placeholder) < 0 === (ids[index] === undefined),
		);
		return { operation: handler?.operation, edgeId, routeId, listId, limit, memberId, hasIds };
	}

	/** A request asks when it begins and when it has ended, and most have ended before the next begins. */
	#routeOf(path: string): Found {
		if (path !== this.#last?.path) this.#last = { path, found: this.#look(path) };
		return this.#last.found;
	}

	#look(path: string): Found {
		const segments = path.split("/", SEGMENTS_MAX + 1).map(decodeSegment);
		return { segments, route: this.#routes.find(({ parts }) => fits(parts, segments)) };
	}
}

const fits = (parts: readonly string[], segments: readonly (string | undefined)[]): boolean =>
	(parts.length === segments.length ||
		(parts.at(-1) === KEY && segments.length >= parts.length - 1)) &&
	parts.every((part, index) => part.startsWith("{") || part === segments[index]);

/** @throws ApiError 400 for broken percent-encoding */
function keyIn(parts: readonly string[], segments: readonly (string | undefined)[]): string[] {
	if (parts.at(-1) !== KEY) return [];
	return segments.slice(parts.length - 1).map((segment) => {
		if (segment !== undefined) return segment;
		throw new ApiError("ERR_INVALID_KEY", "The key in the path has broken percent-encoding.");
	});
}

/** undefined if the percent-encoding is broken: equal to no literal and no id */
function decodeSegment(segment: string): string | undefined {
	if (!segment.includes("%")) return segment;
	try {
		return decodeURIComponent(segment);
	} catch {
		return undefined;
	}
}

function validId(id: string | undefined, method: string): string {
	if (id !== undefined && (isId(id) || (method === "DELETE" && isFormerId(id)))) return id;
	throw new ApiError(
		"ERR_INVALID_ID",
		`An id has 1 to ${LIMITS.idCharacters} characters of A-Z, a-z, 0-9, "_", "-" and ".", and is not "." or "..".`,
	);
}
