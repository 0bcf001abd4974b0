/**
 * What a schema can't see in a resolved `Config`: files that are missing, certificates that don't fit their keys,
 * addresses given twice, networks that are none; and settings without effect. Called by `load-config.ts` at start, at
 * every reload and for `weir check`.
 */
import {
	accessSync,
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readlinkSync,
	readSync,
	statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { type Config, type ConfigFile, configSchema, type TlsSettings } from "../../config.ts";
import { isNetwork } from "../../edge/request/client-address.ts";
import { LIMITS } from "../../limits/limits.ts";
import { sharedAddresses } from "./address-conflicts.ts";
import { certificateMistakes } from "./certificate-mistakes.ts";
import type { SettingProblem } from "./config-problem.ts";
import { fleetMistakes } from "./fleet-settings.ts";
import { hostMistakes } from "./management-mistakes.ts";
import { observingMistakes, observingWithoutEffect } from "./observing-mistakes.ts";
import { servedCertificates } from "./served-certificates.ts";

export function findMistakes(config: Config): SettingProblem[] {
	return [
		...sharedAddresses(config),
		...servedCertificates(config).flatMap(certificateMistakes),
		...hostMistakes(config.management.hosts),
		...cipherMistakes(config.tls),
		...config.trustedProxies.flatMap(networkMistakes),
		...logMistakes("/log/destination", config.log.destination),
		...(config.log.audit === null ? [] : logMistakes("/log/audit", config.log.audit)),
		...observingMistakes(config),
		...fleetMistakes(config.fleet),
		...(config.log.accessDestination === null
			? []
			: logMistakes("/log/access_destination", config.log.accessDestination)),
		...(config.geoDatabase === null ? [] : databaseMistakes(config.geoDatabase)),
	];
}

/** Begins the description of every MMDB file, which stands within so many bytes of its end. */
const MMDB_MARK = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const MMDB_MARK_WITHIN = 131_072;

function databaseMistakes(path: string): SettingProblem[] {
	const pointer = "/geo/database";
	const missing = unreadable(pointer, path);
	if (missing.length > 0) return missing;
	if (tailOf(path, MMDB_MARK_WITHIN).includes(MMDB_MARK)) return [];
	const message = `${path} is no MMDB file; weir reads MaxMind's format (.mmdb), unpacked, no CSV and no archive`;
	return [{ pointer, message }];
}

/** Empty of what is no file. */
function tailOf(path: string, bytes: number): Buffer {
	// to open a FIFO is to wait for one that writes
	if (!statSync(path).isFile()) return Buffer.alloc(0);
	const descriptor = openSync(path, "r");
	try {
		const status = fstatSync(descriptor);
		const tail = Buffer.alloc(Math.min(bytes, status.size));
		const read = readSync(descriptor, tail, 0, tail.length, status.size - tail.length);
		return tail.subarray(0, read);
	} finally {
		closeSync(descriptor);
	}
}

/** What OpenSSL takes and the server library does not ends the start of a worker, `http/tls/secure-app.ts`. */
function cipherMistakes({ ciphers, minVersion }: TlsSettings): SettingProblem[] {
	const suites = ciphers.split(":").filter((name) => name !== "" && !name.startsWith("TLS_"));
	try {
		createSecureContext({ ciphers: suites.join(":"), minVersion });
		if (suites.length > 0) return [];
	} catch {}
	const message = `"${ciphers}" names no cipher suite of TLS 1.2; write a list as OpenSSL has it`;
	return [{ pointer: "/tls/ciphers", message }];
}

function unreadable(pointer: string, path: string): SettingProblem[] {
	try {
		accessSync(path, constants.R_OK);
		return [];
	} catch (error) {
		return [{ pointer, message: `cannot read ${path}: ${(error as NodeJS.ErrnoException).code}` }];
	}
}

/** The file itself is made when it is first opened. */
function logMistakes(pointer: string, destination: string): SettingProblem[] {
	if (destination === "stdout" || destination === "stderr") return [];
	const cannot = (why: string): SettingProblem[] => [
		{ pointer, message: `cannot write ${destination}: ${why}` },
	];
	try {
		const status = statSync(destination, { throwIfNoEntry: false });
		if (status?.isDirectory() === true) return [{ pointer, message: `${destination} is a folder` }];
		if (status?.isSocket() === true) return cannot("it is a socket");
		if (status !== undefined) accessSync(destination, constants.W_OK);
		else accessSync(dirname(linkedTo(destination)), constants.W_OK | constants.X_OK);
		return [];
	} catch (error) {
		return cannot((error as NodeJS.ErrnoException).code ?? String(error));
	}
}

/** The file that would be made for a symbolic link whose own file is not there. */
function linkedTo(path: string): string {
	const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	return isLink ? resolve(dirname(path), readlinkSync(path)) : path;
}

const networkMistakes = (text: string, index: number): SettingProblem[] =>
	isNetwork(text)
		? []
		: [
				{
					pointer: `/trusted_proxies/${index}`,
					message: `"${text}" is no address or network; write e.g. 10.0.0.0/8`,
				},
			];

/** A setting must not be ignored in silence. */
const DEFAULTS = configSchema.parse({});

export function withoutEffect(file: ConfigFile): SettingProblem[] {
	const { front, limits, timeouts, tls } = file;
	const warnings = observingWithoutEffect(file);
	if (tls.min_version === "TLSv1.3" && tls.ciphers !== DEFAULTS.tls.ciphers)
		warnings.push({
			pointer: "/tls/ciphers",
			message: "has no effect: it is for TLS 1.2, and tls.min_version is TLSv1.3",
		});
	if (front === "off" && timeouts.request_header_ms !== LIMITS.requestHeaderMs)
		warnings.push({
			pointer: "/timeouts/request_header_ms",
			message: `has no effect with front: off: the server library waits ${LIMITS.requestHeaderMs} ms for a header`,
		});
	for (const bound of ["connections", "connections_per_address"] as const) {
		if (front === "on" || limits[bound] === 0) continue;
		warnings.push({
			pointer: `/limits/${bound}`,
			message: "has no effect with front: off: the front counts connections; set front: on",
		});
	}
	return warnings;
}
