/**
 * The certificates of a TLS listener. They are read and checked before the server library sees them, because its
 * message about a bad one says nothing useful. A certificate itself says which names it is for. Used by
 * `secure-app.ts` and `management/`.
 */

import { createHash, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { asciiLowerCase } from "../../ascii.ts";
import type { TlsFiles, TlsSettings } from "../../config.ts";
import { readPemFile } from "./pem-file.ts";

/** at the beginning of an entry: other kinds of names may hold the same letters */
const DNS_NAME = /(?<=^|, )DNS:([^,\s"]+)/g;

/**
 * @returns the names of the subject alternative name extension in lower case, wildcards included; the
 *   common name where there is none
 * @throws Error naming the file that can't be read or doesn't fit the other
 */
export function certificateNames({ cert, key }: TlsFiles): string[] {
	const read = (file: string): Buffer => {
		try {
			return readPemFile(file);
		} catch (error) {
			throw new Error(`certificate ${file}: ${(error as Error).message}`);
		}
	};
	const certBytes = read(cert);
	const keyBytes = read(key);
	try {
		createSecureContext({ cert: certBytes, key: keyBytes });
	} catch (error) {
		throw new Error(`certificate ${cert} with key ${key}: ${(error as Error).message}`);
	}
	return namesOf(new X509Certificate(certBytes));
}

/** @returns a text that changes with the settings and with what the files hold @throws Error of the system */
export function certificateMark(
	{ cert, key }: TlsFiles,
	{ minVersion, ciphers }: TlsSettings,
): string {
	const mark = createHash("sha256").update(JSON.stringify([minVersion, ciphers]));
	for (const file of [cert, key]) {
		const content = readPemFile(file);
		mark.update(`${content.length}:`).update(content);
	}
	return mark.digest("hex");
}

/** @returns as `certificateNames`, of a certificate that was read already */
export function namesOf(parsed: X509Certificate): string[] {
	const names = [...(parsed.subjectAltName ?? "").matchAll(DNS_NAME)].map(([, name = ""]) => name);
	const common = /^CN=(.+)$/m.exec(parsed.subject)?.[1];
	if (names.length === 0 && common !== undefined) names.push(common);
	return names.map((name) => asciiLowerCase(name));
}
