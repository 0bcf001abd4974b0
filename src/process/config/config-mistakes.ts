/**
 * What a schema can't see in a resolved `Config`: files that are missing, certificates that don't fit
 * their keys, addresses given twice, networks that are none; and settings without effect. Each is one sentence; called by
 * `load-config.ts` at start and at every reload.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { createSecureContext } from "node:tls";
import {
	type Config,
	type ConfigFile,
	configSchema,
	type TlsFiles,
	type TlsSettings,
} from "../../config.ts";
import { isNetwork } from "../../edge/request/client-address.ts";
import { LIMITS } from "../../limits/limits.ts";
import { formatAddress } from "./address.ts";

export function findMistakes(config: Config): string[] {
	return [
		...repeatedAddresses(config),
		...config.listen.flatMap(({ tls }) => tls.flatMap(certificateMistakes)),
		...cipherMistakes(config.tls),
		...config.trustedProxies.filter((text) => !isNetwork(text)).map((text) => notANetwork(text)),
		...logMistakes(config.log.destination),
		...(config.geoDatabase === null ? [] : unreadable("geo/database", config.geoDatabase)),
	];
}

function repeatedAddresses({ listen, management }: Config): string[] {
	const seen = new Set<string>();
	const mistakes: string[] = [];
	for (const address of [...listen, management]) {
		const text = formatAddress(address);
		if (address.port !== 0 && seen.has(text)) mistakes.push(`${text} is to be listened on twice`);
		seen.add(text);
	}
	return mistakes;
}

function certificateMistakes({ cert, key }: TlsFiles): string[] {
	const missing = [...unreadable("tls/cert", cert), ...unreadable("tls/key", key)];
	if (missing.length > 0) return missing;
	try {
		const certificate = new X509Certificate(readFileSync(cert));
		if (certificate.checkPrivateKey(createPrivateKey(readFileSync(key)))) return [];
		return [`tls/key: ${key} is not the key of ${cert}`];
	} catch (error) {
		return [`tls: ${cert} and ${key} are no certificate and key in PEM: ${String(error)}`];
	}
}

/** What OpenSSL takes and the server library does not ends the start of a worker, `edge/tls/secure-app.ts`. */
function cipherMistakes({ ciphers, minVersion }: TlsSettings): string[] {
	const suites = ciphers.split(":").filter((name) => name !== "" && !name.startsWith("TLS_"));
	try {
		createSecureContext({ ciphers: suites.join(":"), minVersion });
		if (suites.length > 0) return [];
	} catch {}
	return [
		`tls/ciphers: "${ciphers}" names no cipher suite of TLS 1.2; write a list as OpenSSL has it`,
	];
}

function unreadable(name: string, path: string): string[] {
	try {
		accessSync(path, constants.R_OK);
		return [];
	} catch (error) {
		return [`${name}: cannot read ${path}: ${(error as NodeJS.ErrnoException).code}`];
	}
}

/** The file itself is made when it is first opened. */
function logMistakes(destination: string): string[] {
	if (destination === "stdout" || destination === "stderr") return [];
	try {
		accessSync(existsSync(destination) ? destination : dirname(destination), constants.W_OK);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return [`log/destination: cannot write ${destination}: ${code}`];
	}
	const isFolder = statSync(destination, { throwIfNoEntry: false })?.isDirectory() === true;
	return isFolder ? [`log/destination: ${destination} is a folder`] : [];
}

const notANetwork = (text: string): string =>
	`trusted_proxies: "${text}" is no address or network; write e.g. 10.0.0.0/8`;

/** A setting must not be ignored in silence. */
const DEFAULTS = configSchema.parse({});

export function withoutEffect({ timeouts, tls }: ConfigFile): string[] {
	const warnings: string[] = [];
	if (tls.min_version === "TLSv1.3" && tls.ciphers !== DEFAULTS.tls.ciphers)
		warnings.push("tls.ciphers has no effect: it is for TLS 1.2, and tls.min_version is TLSv1.3");
	if (timeouts.request_header_ms !== LIMITS.requestHeaderMs)
		warnings.push(
			`timeouts.request_header_ms has no effect: the server library waits ${LIMITS.requestHeaderMs} ms for a header`,
		);
	return warnings;
}
