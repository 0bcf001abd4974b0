/**
 * The section `fleet` of the config file, resolved, and what is wrong with it or worth a warning. Called by
 * `load-config.ts` and `config-mistakes.ts`.
 */
import { statSync } from "node:fs";
import { hostname } from "node:os";
import type { ConfigFile, FleetSettings, TlsFiles } from "../../config.ts";
import { durationMs } from "../../config-fleet.ts";
import { readPemFile } from "../../http/tls/pem-file.ts";
import { isLoopback, parseAddress } from "./address.ts";
import type { SettingProblem } from "./config-problem.ts";

type FleetSection = NonNullable<ConfigFile["fleet"]>;

const ENGINE_PORT = 4222;

/** @param fromFile makes a path of the config file absolute */
export function fleetSettings(
	{ member, tls, ...section }: FleetSection,
	fromFile: (path: string) => string,
): FleetSettings {
	const path = (given: string | null): string | null => (given === null ? null : fromFile(given));
	const { when_cut_off: cutOff } = section;
	return {
		name: section.name,
		servers: section.servers.map((text) => parseServer(text)?.url ?? text),
		credentials: path(section.credentials),
		tls: { ca: path(tls.ca), cert: path(tls.cert), key: path(tls.key) },
		role: section.role,
		member: { name: member.name ?? ownName(), labels: member.labels },
		refuseAfterMs: typeof cutOff === "string" ? null : durationMs(cutOff.refuse_after),
		domain: section.domain,
		insecure: section.insecure,
	};
}

/** The host's name, as far as a member may be called so. */
const ownName = (): string =>
	hostname()
		.replace(/[^A-Za-z0-9_.-]/g, "-")
		.slice(0, 64) || "weir";

interface EngineServer {
	readonly url: string;
	readonly host: string;
	readonly isSecure: boolean;
}

function parseServer(text: string): EngineServer | undefined {
	const found = /^(tls|nats):\/\/([^/?#@\s]+)\/?$/.exec(text);
	if (found === null) return undefined;
	const [, scheme = "", place = ""] = found;
	const address = parseAddress(
		/^(?:\[[^\]]*\]|[^:[\]]+)$/.test(place) ? `${place}:${ENGINE_PORT}` : place,
	);
	if (address === undefined || address.host === "" || address.port === 0) return undefined;
	const host = address.host.includes(":") ? `[${address.host}]` : address.host;
	return {
		url: `${scheme}://${host}:${address.port}`,
		host: address.host,
		isSecure: scheme === "tls",
	};
}

/** The certificate that this machine shows to the engine. */
export const engineCertificate = (fleet: FleetSettings | null): TlsFiles | undefined =>
	fleet?.tls.cert == null || fleet.tls.key === null
		? undefined
		: { cert: fleet.tls.cert, key: fleet.tls.key };

export function fleetMistakes(fleet: FleetSettings | null): SettingProblem[] {
	if (fleet === null) return [];
	const { tls } = fleet;
	const alone =
		(tls.cert === null) === (tls.key === null)
			? []
			: [
					{
						pointer: tls.cert === null ? "/fleet/tls/key" : "/fleet/tls/cert",
						message: "cert and key belong together; name both files, or neither",
					},
				];
	return [
		...fleet.servers.flatMap((text, index) => serverMistakes(text, index, fleet)),
		...alone,
		...(tls.ca === null ? [] : pemMistakes("/fleet/tls/ca", tls.ca, CERTIFICATE, "certificate")),
		...(fleet.credentials === null
			? []
			: pemMistakes("/fleet/credentials", fleet.credentials, SEED, "nkey seed (SU…)")),
	];
}

function serverMistakes(
	text: string,
	index: number,
	{ insecure }: Pick<FleetSettings, "insecure">,
): SettingProblem[] {
	const pointer = `/fleet/servers/${index}`;
	const server = parseServer(text);
	if (server === undefined) {
		const secret = text.includes("@")
			? "no credentials belong into the address: put them into the file that fleet.credentials names"
			: `"${text}" is no server; write tls://host:port, e.g. tls://nats-1:4222`;
		return [{ pointer, message: secret }];
	}
	if (server.isSecure || insecure || isLoopback({ host: server.host, port: ENGINE_PORT }))
		return [];
	return [
		{
			pointer,
			message: `${text} is another machine, and would be talked to without TLS: keys' hashes and policies would be read on the way; write ${text.replace("nats:", "tls:")}, or set fleet.insecure: true where the network itself is safe`,
		},
	];
}

const CERTIFICATE = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m;
const SEED = /^SU[A-Z2-7]{56}$/m;

function pemMistakes(pointer: string, path: string, holds: RegExp, what: string): SettingProblem[] {
	try {
		if (holds.test(readPemFile(path).toString("latin1"))) return [];
		return [{ pointer, message: `${path} holds no ${what}` }];
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		return [{ pointer, message: code === undefined ? message : `cannot read ${path}: ${code}` }];
	}
}

const OTHERS_READ = 0o004;

/** Secrets that every user of the machine can read, and what has no effect. */
export function fleetWarnings(fleet: FleetSettings | null): SettingProblem[] {
	if (fleet === null) return [];
	const secrets = [
		["/fleet/credentials", fleet.credentials],
		["/fleet/tls/key", fleet.tls.key],
	] as const;
	const isUsed = fleet.servers.some((text) => text.startsWith("tls:"));
	const files = Object.entries(fleet.tls).filter(([, path]) => path !== null);
	return [
		...secrets.flatMap(([pointer, path]) =>
			path !== null && isOpen(path)
				? [{ pointer, message: `every user of this machine can read ${path}; chmod 600 ${path}` }]
				: [],
		),
		...(isUsed ? [] : files).map(([name]) => ({
			pointer: `/fleet/tls/${name}`,
			message: "has no effect: no address in fleet.servers begins with tls://",
		})),
	];
}

function isOpen(path: string): boolean {
	try {
		return (statSync(path).mode & OTHERS_READ) !== 0;
	} catch {
		// It is missing, which is a mistake of its own.
		return false;
	}
}
