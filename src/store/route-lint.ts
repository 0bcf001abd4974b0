/**
 * Warnings about routes that are allowed and most likely a mistake (contract 6: a prefix is a plain string prefix, a
 * match has no wildcards, a backend's certificate is verified). The management API puts them into the answer to a PUT.
 */

import { quoted } from "../documents/nearest.ts";
import type { Problem } from "../errors.ts";
import type { RouteDocument } from "./resources.ts";

interface Lint {
	/** the place that it warns of */
	readonly pointer: string;
	readonly finds: (route: RouteDocument) => string | undefined;
}

const LINTS: Readonly<Record<string, Lint>> = {
	wildcard_in_match: { pointer: "/match", finds: wildcard },
	prefix_within_segment: { pointer: "/match", finds: withinSegment },
	unverified_backend: { pointer: "/backend/tls/verify", finds: unverified },
};

export function lintRoute(route: RouteDocument): readonly Problem[] {
	return Object.entries(LINTS).flatMap(([code, { pointer, finds }]) => {
		const message = finds(route);
		return message === undefined ? [] : [{ pointer, code, message }];
	});
}

/** `*`, or a whole segment that other products take for a placeholder: `{id}`, `:id`. */
const WILDCARD = /\*|\/(?::\w+|%7B\w+%7D)(?=\/|$)/;

function wildcard({ match }: RouteDocument): string | undefined {
	const found = WILDCARD.exec(match);
	if (found === null) return undefined;
	const [written] = found;
	const before = match.slice(0, found.index);
	const prefix = written === "*" ? before : `${before}/`;
	return `${quoted(written.replace("/", ""))} is no wildcard, it stands for itself; a path_prefix of ${quoted(prefix)} takes all that begins so`;
}

/** A prefix that ends like a word most likely names a whole segment. */
function withinSegment({ match_type, match }: RouteDocument): string | undefined {
	if (match_type !== "path_prefix" || !/[A-Za-z0-9]$/.test(match) || WILDCARD.test(match)) {
		return undefined;
	}
	return `also takes ${quoted(`${match}xyz`)}, as a prefix is compared letter by letter; for the segment alone write ${quoted(`${match}/`)}, and an exact_path route for ${quoted(match)}`;
}

function unverified({ backend }: RouteDocument): string | undefined {
	if (backend.tls?.verify !== false) return undefined;
	return 'the backend\'s certificate is not verified, so anybody in between can read and change what passes; name its authority in "ca" instead';
}
