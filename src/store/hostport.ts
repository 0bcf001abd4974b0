/**
 * The names that an edge answers to (contract 2, edges): `example.com`, `example.com:443`,
 * `*.example.com`, `*`, `*:8080`, `192.0.2.1`, `[2001:db8::1]:8443`. Read by the store, which lets one
 * edge own each, by the management API, which says what is wrong with one, and by edge/routing/route-table.
 *
 * Spelled as `host` fields are (`http/host.ts`). Names beyond ASCII are written in their `xn--` form; nothing
 * converts them, because requests carry that form only.
 */
import { hostSpelling } from "../http/host.ts";

export interface Hostport {
	/** as `hostSpelling` has it; without `*.` where `wildcard`; `""` for `*` */
	readonly host: string;
	/** undefined: every port */
	readonly port: number | undefined;
	/** matches every name below `host`, at any depth, not `host` itself */
	readonly wildcard: boolean;
}

const PARTS = /^(\[[^\]]*\]|[^:[\]]*)(?::([0-9]+))?$/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const NAME_CHARACTERS = 253;

/** @returns undefined if `text` names no host; `hostportMistake` then says why */
export function parseHostport(text: string): Hostport | undefined {
	const parts = PARTS.exec(text);
	if (parts === null) return undefined;
	const port = parts[2] === undefined ? undefined : parsePort(parts[2]);
	if (port === 0) return undefined;
	const name = parts[1] ?? "";
	if (name === "*") return { host: "", port, wildcard: true };
	const wildcard = name.startsWith("*.");
	const host = hostSpelling(wildcard ? name.slice(2) : name);
	if (host === undefined || !(isName(host) || (host.startsWith("[") && !wildcard)))
		return undefined;
	return { host, port, wildcard };
}

/** One spelling for all that mean the same: what conflicts are decided on. */
export function canonicalHostport({ host, port, wildcard }: Hostport): string {
	const name = wildcard ? (host === "" ? "*" : `*.${host}`) : host;
	return port === undefined ? name : `${name}:${port}`;
}

/** One sentence that says why `parseHostport` refuses `text`. */
export function hostportMistake(text: string): string {
	if (text === "") return "a hostport can't be empty";
	if (text.includes("//")) return "write a host and maybe a port, without scheme or path";
	if (text.includes("/")) return "write a host and maybe a port, without a path";
	// biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII is what it looks for
	if (/[^\u0000-\u007f]/.test(text)) return "write names beyond ASCII in their xn-- form";
	if (text.split(":").length > 2 && !text.startsWith("["))
		return "write IPv6 addresses in brackets";
	if (/:[0-9]*$/.test(text) && parsePort(text.slice(text.lastIndexOf(":") + 1)) === 0) {
		return "a port is a number from 1 to 65535";
	}
	if (text.includes("*"))
		return "a * stands alone or as the whole first label, as in *.example.com";
	return 'is no host name or address; write for example "example.com", "*.example.com:443" or "*"';
}

/** 0 if it is no port */
function parsePort(text: string): number {
	const port = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0;
	return port <= 65_535 ? port : 0;
}

function isName(name: string): boolean {
	return name.length <= NAME_CHARACTERS && name.split(".").every((label) => LABEL.test(label));
}
