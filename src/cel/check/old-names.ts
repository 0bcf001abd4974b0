/**
 * Suggests a variable for an unknown name (contract 3): for the PascalCase names of older documents, for names
 * from other products, and for slips of the keyboard. Called by `names.ts`.
 */
import { nearest } from "../../documents/nearest.ts";
import { NAMESPACES, VARIABLES } from "./variables.ts";

/** Old names that are more than another spelling. */
const RENAMED: ReadonlyMap<string, string> = new Map([
	["req.client_tls", "conn.tls"],
	["req.client_tls.server_name", "conn.tls.sni"],
	["req.client_tls.negotiated_protocol", "conn.tls.negotiated_alpn"],
	["conn.client_tls", "conn.tls"],
	["req.tls", "conn.tls"],
	["req.proto", "req.version"],
	["req.protocol", "req.version"],
	["req.remote_addr", "conn.client_ip"],
	["req.params", "req.url.query_params"],
	["req.uri", "req.url.uri"],
	["req.request_uri", "req.url.uri"],
	["conn.ip", "conn.client_ip"],
	["conn.remote_ip", "conn.client_ip"],
	["conn.geo.country_iso_code", "conn.geo.country_code"],
	["res.status", "res.status_code"],
	["request", "req"],
	["response", "res"],
	["connection", "conn"],
]);

export interface Suggestion {
	/** how much of the unknown name the new one stands for */
	readonly parts: number;
	readonly name: string;
	/** the same name under its old spelling, as opposed to a guess */
	readonly certain: boolean;
}

/** More parts than any variable has. */
const LONGEST = 1 + Math.max(...[...VARIABLES.keys()].map((name) => name.split(".").length));

/** @param written the unknown name, split at its dots; at least one */
export function todaysName(written: readonly string[]): Suggestion | undefined {
	const parts = written.slice(0, LONGEST);
	for (let count = parts.length; count > 0; count--) {
		const old = parts.slice(0, count).map(snakeCase);
		const name = renamed(old);
		const isRenamed = RENAMED.has(old.join("."));
		const isUnchanged = name === parts.slice(0, count).join(".");
		const isGroup = NAMESPACES.has(name) && (count === parts.length || (count > 1 && isRenamed));
		const isWhole = VARIABLES.has(name) || isGroup;
		if (isWhole && !isUnchanged) return { parts: count, name, certain: true };
	}
	const [root = "", ...rest] = parts;
	const moved = rest.length === 0 ? undefined : sameLastPart(root, rest);
	if (moved !== undefined) return { parts: parts.length, name: moved, certain: false };
	return guess(parts);
}

function guess(parts: readonly string[]): Suggestion | undefined {
	for (let count = parts.length; count > 0; count--) {
		const name = parts.slice(0, count).map(snakeCase).join(".");
		const near = nearest(name, VARIABLES.keys());
		if (near !== undefined) return { parts: count, name: near, certain: false };
	}
	return undefined;
}

/** The longest renamed beginning replaced by today's. */
function renamed(parts: readonly string[]): string {
	for (let count = parts.length; count > 0; count--) {
		const today = RENAMED.get(parts.slice(0, count).join("."));
		if (today !== undefined) return [today, ...parts.slice(count)].join(".");
	}
	return parts.join(".");
}

/** `req.path` is `req.url.path`: a variable that ends alike, under the same root if there is one. */
function sameLastPart(root: string, rest: readonly string[]): string | undefined {
	const last = snakeCase(rest[0] ?? "");
	const alike = [...VARIABLES.keys()].filter((name) => name.endsWith(`.${last}`));
	return alike.find((name) => name.startsWith(`${snakeCase(root)}.`)) ?? alike[0];
}

/** `ContentLength` → `content_length`, `ClientIP` → `client_ip`, `URL` → `url`. */
const snakeCase = (name: string): string =>
	name
		.replace(/([a-z0-9])([A-Z])/g, "$1_$2")
		.replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
		.toLowerCase();
