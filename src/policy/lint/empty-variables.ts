/**
 * Variables that are empty for every request (contract 3): variables that weir can't fill in, and variables that the
 * configuration leaves empty, which only a running server knows. In the table of `expression.ts`.
 */
import type { Node } from "../../cel/tree/node.ts";
import { variableOf } from "../../cel/tree/parts.ts";
import type { VariableName } from "../../cel/variables/table.ts";
import type { ExpressionFinding } from "./finding.ts";

/** The parts of a running server's configuration that decide whether a variable is empty. */
export interface Surroundings {
	/** has any listener TLS? */
	readonly tls: boolean;
	/** is a geo database configured, instead of the bundled one of countries? */
	readonly geo: boolean;
	/** does anything tell the client's port: weir's front, or PROXY protocol of any listener? */
	readonly clientPort: boolean;
}

interface Emptiness {
	readonly reason: string;
	/** @param around undefined offline, where only variables that are always empty are told */
	readonly isSo: (around: Surroundings | undefined) => boolean;
}

const UNTOLD: Emptiness = {
	reason: "is always empty: the server library doesn't tell it",
	isSo: () => true,
};
const NO_TRAILERS: Emptiness = {
	reason: "is always empty: trailers are not read and not passed on",
	isSo: () => true,
};
const NO_PORT: Emptiness = {
	reason: "is always 0: front is off, and no listener has proxy_protocol",
	isSo: (around) => around?.clientPort === false,
};
const NO_TLS: Emptiness = {
	reason: "is always empty: no listener has TLS",
	isSo: (around) => around?.tls === false,
};
const COUNTRIES_ONLY: Emptiness = {
	reason: "is always empty: the bundled database knows country codes alone; set geo.database",
	isSo: (around) => around?.geo === false,
};

const EMPTY: ReadonlyMap<string, Emptiness> = new Map<VariableName, Emptiness>([
	["conn.client_port", NO_PORT],
	["conn.tls.version", UNTOLD],
	["conn.tls.cipher_suite", UNTOLD],
	["conn.tls.negotiated_alpn", UNTOLD],
	["conn.tls.sni", NO_TLS],
	["conn.geo.country", COUNTRIES_ONLY],
	["conn.geo.city", COUNTRIES_ONLY],
	["conn.geo.latitude", COUNTRIES_ONLY],
	["conn.geo.longitude", COUNTRIES_ONLY],
	["conn.geo.subdivision", COUNTRIES_ONLY],
	["req.trailers", NO_TRAILERS],
	["res.trailers", NO_TRAILERS],
]);

/** The finding about one node, if it is such a variable. */
export function emptyVariable(
	node: Node,
	around: Surroundings | undefined,
): readonly ExpressionFinding[] {
	const variable = variableOf(node);
	const empty = variable === undefined ? undefined : EMPTY.get(variable);
	if (empty?.isSo(around) !== true) return [];
	return [{ code: "empty_variable", message: `${variable} ${empty.reason}` }];
}
