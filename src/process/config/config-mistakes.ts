/**
 * What a schema can't see in a resolved `Config`: files that are missing, certificates that don't fit
 * their keys, addresses given twice, networks that are none; and settings without effect. Each is one sentence; called by
 * `load-config.ts` at start and at every reload.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import {
	accessSync,
	closeSync,
	constants,
	existsSync,
	fstatSync,
	openSync,
	readFileSync,
	readSync,
	statSync,
} from "node:fs";
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
		...(config.geoDatabase === null ? [] : databaseMistakes(config.geoDatabase)),
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
		if (isEncrypted(readFileSync(key, "latin1")))
			return [
				`tls/key: ${key} is encrypted with a passphrase, and weir asks for none; write a copy without one: openssl pkey -in ${key} -out FILE`,
			];
		const certificate = new X509Certificate(readFileSync(cert));
		if (certificate.checkPrivateKey(createPrivateKey(readFileSync(key)))) return [];
		return [`tls/key: ${key} is not the key of ${cert}`];
	} catch (error) {
		return [`tls: ${cert} and ${key} are no certificate and key in PEM: ${String(error)}`];
	}
}

/** The two forms in which PEM has it: PKCS #8, and the older one of OpenSSL. */
const isEncrypted = (pem: string): boolean =>
	/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m.test(pem);

/** Begins the description of every MMDB file, which stands within so many bytes of its end. */
const MMDB_MARK = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const MMDB_MARK_WITHIN = 131_072;

function databaseMistakes(path: string): string[] {
	const name = "geo/database";
	const missing = unreadable(name, path);
	if (missing.length > 0) return missing;
	if (tailOf(path, MMDB_MARK_WITHIN).includes(MMDB_MARK)) return [];
	return [
		`${name}: ${path} is no MMDB file; weir reads MaxMind's format (.mmdb), unpacked, no CSV and no archive`,
	];
}

/** Empty of what is no file. */
function tailOf(path: string, bytes: number): Buffer {
	const descriptor = openSync(path, "r");
	try {
		const status = fstatSync(descriptor);
		if (!status.isFile()) return Buffer.alloc(0);
		const tail = Buffer.alloc(Math.min(bytes, status.size));
		const read = readSync(descriptor, tail, 0, tail.length, status.size - tail.length);
		return tail.subarray(0, read);
	} finally {
		closeSync(descriptor);
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

export function withoutEffect({ front, timeouts, tls }: ConfigFile): string[] {
	const warnings: string[] = [];
	if (tls.min_version === "TLSv1.3" && tls.ciphers !== DEFAULTS.tls.ciphers)
		warnings.push("tls.ciphers has no effect: it is for TLS 1.2, and tls.min_version is TLSv1.3");
	if (front === "off" && timeouts.request_header_ms !== LIMITS.requestHeaderMs)
		warnings.push(
			`timeouts.request_header_ms has no effect with front: off: the server library waits ${LIMITS.requestHeaderMs} ms for a header`,
		);
	return warnings;
}
