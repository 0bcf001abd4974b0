/** One connection to one NATS server. Made by `nats-log.ts`, whenever its link has none. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import {
	type Authenticator,
	type ConnectionOptions,
	connect,
	credsAuthenticator,
	type NatsConnection,
	nkeyAuthenticator,
} from "@nats-io/transport-node";
import { LIMITS } from "../../../limits/limits.ts";
import { connectionProblem, handshakeProblem } from "./failures.ts";
import { serverProblem } from "./server-rules.ts";
import { type EngineSettings, inboxOf, placeOf } from "./settings.ts";

/** The files are read anew, so that renewed ones count. @throws Error with a sentence for people */
export async function connectTo(server: string, settings: EngineSettings): Promise<NatsConnection> {
	const place = placeOf(server);
	const options = await optionsOf(server, settings);
	let connection: NatsConnection;
	try {
		connection = await connect(options);
	} catch (error) {
		const handshake = options.tls == null ? undefined : handshakeProblem(place, error);
		throw new Error(handshake ?? connectionProblem(place, error), { cause: error });
	}
	const { info } = connection;
	const problem =
		info === undefined
			? `${place} does not say what it is.`
			: serverProblem(place, info, settings.minPayloadBytes);
	if (problem === undefined) return connection;
	await connection.close();
	throw new Error(problem);
}

async function optionsOf(
	server: string,
	{ credentials, tls, name }: EngineSettings,
): Promise<ConnectionOptions> {
	const isSecure = server.startsWith("tls://");
	const secret = credentials === null ? undefined : await contentOf(credentials, "credentials");
	return {
		servers: placeOf(server),
		name: `weir ${name}`,
		inboxPrefix: inboxOf(name),
		// link.ts connects again, with all servers and their files as they are then.
		reconnect: false,
		ignoreClusterUpdates: true,
		timeout: LIMITS.fleetConnectMs,
		pingInterval: LIMITS.fleetPingMs,
		noAsyncTraces: true,
		...(secret !== undefined && { authenticator: authenticatorOf(secret, `${credentials}`) }),
		...(isSecure && { tls: await tlsOf(placeOf(server), tls) }),
	};
}

/** A credentials file has a JWT and a seed; a seed alone is a user of nats-server.conf. */
function authenticatorOf(secret: Buffer, path: string): Authenticator {
	const seed = /^SU[A-Z2-7]{56}$/m.exec(secret.toString("latin1"))?.[0];
	if (seed === undefined) throw new Error(`fleet.credentials: ${path} holds no nkey seed (SU…).`);
	return secret.includes("NATS USER JWT")
		? credsAuthenticator(secret)
		: nkeyAuthenticator(Buffer.from(seed, "latin1"));
}

async function tlsOf(place: string, { ca, cert, key }: EngineSettings["tls"]) {
	// `host` is what the certificate is compared with where the server is named by its address.
	const host = place.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
	return {
		host,
		...(ca !== null && { ca: await textOf(ca, "tls.ca") }),
		...(cert !== null && { cert: validNow(await textOf(cert, "tls.cert"), cert) }),
		...(key !== null && { key: await textOf(key, "tls.key") }),
	};
}

/** What the server would only hang up about. */
function validNow(cert: string, path: string): string {
	const { validTo } = new X509Certificate(cert);
	if (Date.parse(validTo) >= Date.now()) return cert;
	throw new Error(
		`fleet.tls.cert: ${path} has expired on ${new Date(validTo).toISOString()}: renew it.`,
	);
}

const textOf = async (path: string, setting: string): Promise<string> =>
	(await contentOf(path, setting)).toString("utf8");

async function contentOf(path: string, setting: string): Promise<Buffer> {
	try {
		return await readFile(path);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new Error(`fleet.${setting}: ${path} can't be read (${code}).`, { cause: error });
	}
}
