/**
 * Variables that are the same for every request here (contract 3): those that this build can't fill in, and
 * those that the configuration leaves empty, which only a running server knows. One of the lints of
 * `expression.ts`.
 */
import { variableOf } from "../../cel/lower/nodes.ts";
import type { Node } from "../../cel/syntax.ts";
import type { ExpressionFinding } from "./finding.ts";

const UNTOLD = "is always empty: the server library doesn't tell it";
const NO_TRAILERS = "is always empty: trailers are not read and not passed on";

const ALWAYS_EMPTY: ReadonlyMap<string, string> = new Map([
	["conn.tls.version", UNTOLD],
	["conn.tls.cipher_suite", UNTOLD],
	["conn.tls.negotiated_alpn", UNTOLD],
	["req.trailers", NO_TRAILERS],
	["res.trailers", NO_TRAILERS],
]);

/** What of a running server's configuration decides that a variable is empty. */
export interface Surroundings {
	/** has any listener TLS? */
	readonly tls: boolean;
	/** is a geo database configured, instead of the bundled one of countries? */
	readonly geo: boolean;
	/** has any listener PROXY protocol, which tells the client's port? */
	readonly proxyProtocol: boolean;
}

const NO_PORT =
	"is always 0 on listeners without proxy_protocol: the server library doesn't tell it";
const NO_TLS = "is always empty: no listener has TLS";
const COUNTRIES_ONLY =
	"is always empty: the bundled database knows country codes alone; set geo.database";

const WITHOUT_TLS: ReadonlySet<string> = new Set(["conn.tls.sni"]);
const WITHOUT_GEO: ReadonlySet<string> = new Set(
	["country", "city", "latitude", "longitude", "subdivision"].map((name) => `conn.geo.${name}`),
);

/** Of one node. @param around undefined offline: only what holds everywhere is told then */
export function emptyVariable(
	node: Node,
	around: Surroundings | undefined,
): readonly ExpressionFinding[] {
	const variable = variableOf(node);
	if (variable === undefined) return [];
	let reason = ALWAYS_EMPTY.get(variable);
	if (around?.proxyProtocol !== true && variable === "conn.client_port") reason = NO_PORT;
	if (around?.tls === false && WITHOUT_TLS.has(variable)) reason = NO_TLS;
	if (around?.geo === false && WITHOUT_GEO.has(variable)) reason = COUNTRIES_ONLY;
	if (reason === undefined) return [];
	return [{ code: "empty_variable", message: `${variable} ${reason}` }];
}
