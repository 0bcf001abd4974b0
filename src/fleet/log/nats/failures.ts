/** What goes wrong between a member and NATS, as sentences that name the server, the cause and the remedy. */
import { errors } from "@nats-io/transport-node";
import { LogError } from "../log.ts";

/** Why a connection was not made, or ended. @param place `host:port` */
export function connectionProblem(place: string, error: unknown): string {
	const text = error instanceof Error ? error.message : String(error);
	if (text.startsWith("does not")) return `${place} ${text}.`;
	const code = codeOf(error);
	for (const [cause, sentence] of CAUSES)
		if (cause.test(code) || cause.test(text)) return `${place} ${sentence} (${code || text}).`;
	return `${place} can't be used: ${code === "" || text.includes(code) ? text : `${code}: ${text}`}.`;
}

/** code or text → the rest of the sentence */
const CAUSES: readonly (readonly [RegExp, string])[] = [
	[
		/ECONNREFUSED|connection refused/,
		"refuses the connection: start nats-server there, or correct fleet.servers",
	],
	[/ENOTFOUND|EAI_AGAIN/, "has no address: correct the name in fleet.servers, or the name service"],
	[
		/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|^TIMEOUT$|^timeout$/,
		"does not answer: look at the network between here and there, and whether nats-server stands still",
	],
	[
		/does not support 'tls'|tls is not available/i,
		"offers no TLS: give its nats-server.conf a section `tls`, or write nats:// in fleet.servers where the network is safe",
	],
	[
		/CERT_HAS_EXPIRED|certificate has expired|alert certificate expired/,
		"and this machine disagree about a certificate that has expired: renew it, the server's or fleet.tls.cert",
	],
	[
		/ERR_TLS_CERT_ALTNAME_INVALID/,
		"shows a certificate for other names: name the server in fleet.servers as its certificate does",
	],
	[
		/SELF_SIGNED|UNABLE_TO|UNTRUSTED/,
		"shows a certificate that nobody here vouches for: fleet.tls.ca must name the CA that signed it",
	],
	[
		/alert (?:bad certificate|certificate required|unknown ca|handshake)|CERTIFICATE_REQUIRED/i,
		"does not take this machine's certificate: fleet.tls.cert must be signed by the CA in the server's `tls.ca_file`",
	],
	[
		/Authorization Violation|Authentication (?:Violation|Expired|Revoked)/i,
		"does not accept this machine's credentials: fleet.credentials, or the certificate, must belong to a user in its nats-server.conf",
	],
	[
		/maximum connections exceeded/i,
		"has no room for another connection: raise `max_connections` in its nats-server.conf",
	],
	[
		/Slow Consumer|stale connection/i,
		"has ended the connection, for this machine did not read fast enough; it is made again",
	],
	[
		/unexpected response/,
		"answers, but not as nats-server does: correct the port in fleet.servers",
	],
	[/ECONNRESET|EPIPE|disconnected/, "has ended the connection"],
];

/** A server that does not like a certificate says so to its own log, and to us by hanging up. */
export function handshakeProblem(place: string, error: unknown): string | undefined {
	const code = codeOf(error);
	return code === "ECONNRESET" || code === "EPIPE"
		? `${place} has ended the connection while it was made (${code}): most likely it does not take this machine's certificate; fleet.tls.cert must be signed by the CA in the server's \`tls.ca_file\`, and the server's log says more.`
		: undefined;
}

function codeOf(error: unknown): string {
	for (let cause = error; cause instanceof Error; cause = cause.cause)
		if ("code" in cause && typeof cause.code === "string") return cause.code;
	return "";
}

/** Why a request has no answer. @param what it was, as in "reading the log" */
export function requestProblem(place: string, what: string, error: unknown): LogError {
	const denied = deniedSubject(error);
	if (denied !== undefined)
		return new LogError(
			"not_permitted",
			`${place} does not permit ${what}: the user of this machine has no right to publish ${denied}; see deploy/fleet/ for the rights of each role.`,
		);
	const why = error instanceof errors.TimeoutError ? "no answer in time" : textOf(error);
	const unreachable = new LogError(
		"unreachable",
		`${place} gives no answer to ${what} (${why}): look whether its JetStream has a leader (\`nats server report jetstream\`).`,
	);
	unreachable.cause = error;
	return unreachable;
}

/** Why a member's user is of no use: it may not listen to what every member must. */
export function deniedSubscription(error: Error): string | undefined {
	const isIt =
		error instanceof errors.PermissionViolationError && error.operation === "subscription";
	return isIt
		? `does not let this machine's user subscribe to ${error.subject}: give it the rights of its role in deploy/fleet/, and see that they name this machine's inbox`
		: undefined;
}

/** A request was refused for want of a right, which says nothing about the connection. */
export const isDenied = (error: Error): boolean => error instanceof errors.PermissionViolationError;

/** The subject that the engine does not let this user publish. */
function deniedSubject(error: unknown): string | undefined {
	for (let cause = error; cause instanceof Error; cause = cause.cause)
		if (cause instanceof errors.PermissionViolationError) return cause.subject;
	return undefined;
}

/** Nobody has answered in time, which says nothing about what was asked. */
export const isSilence = (error: unknown): boolean =>
	error instanceof LogError && error.cause instanceof errors.TimeoutError;

/** Nobody has subscribed to what was asked: no JetStream, no such stream, or one without a leader. */
export const isNobodyThere = (error: unknown): boolean =>
	error instanceof errors.NoRespondersError ||
	(error instanceof errors.RequestError && error.isNoResponders());

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export interface ApiError {
	readonly code: number;
	readonly err_code?: number;
	readonly description?: string;
}

const STREAM_NOT_FOUND = 10059;
const NOT_ENABLED = [10039, 10076];
const NO_STORAGE = [10023, 10028, 10047];

/** What JetStream itself has refused. */
export function apiProblem(
	place: string,
	fleet: string,
	stream: string,
	{ code, err_code: detail = 0, description = "" }: ApiError,
): LogError {
	if (detail === STREAM_NOT_FOUND)
		return new LogError(
			"missing",
			`${place} holds no stream ${stream}: fleet.name "${fleet}" is misspelt, or \`weir fleet init\` was never run; if the engine has lost its files, run \`weir fleet reseed\` on the machine with the highest revision.`,
		);
	if (NOT_ENABLED.includes(detail)) return notEnabled(place);
	const isFull = NO_STORAGE.includes(detail);
	const remedy = isFull
		? "; give its JetStream more room (max_file_store, or the account's limit)"
		: "";
	const said = `${description || code}${detail === 0 ? "" : `, ${detail}`}`;
	return new LogError(
		!isFull && (code === 503 || code === 408) ? "unreachable" : "unfit",
		`${place} refuses a request about ${stream}: ${said}${remedy}.`,
	);
}

export const notEnabled = (place: string): LogError =>
	new LogError(
		"unfit",
		`${place} has no JetStream for this account: write \`jetstream { … }\` into its nats-server.conf, or, where it is a leaf, the hub's domain as fleet.domain.`,
	);
