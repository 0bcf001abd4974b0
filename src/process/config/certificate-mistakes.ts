/**
 * What is wrong with the files of a certificate and its key: each mistake is told of the file that has it, with what
 * the file holds instead. What only the libraries can judge, `start-obstacles.ts` asks them. Called by
 * `config-mistakes.ts`.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readPemFile } from "../../http/tls/pem-file.ts";
import type { SettingProblem } from "./config-problem.ts";
import type { ServedCertificate } from "./served-certificates.ts";

export function certificateMistakes({ pointer, files }: ServedCertificate): SettingProblem[] {
	const certificate = attempt(`${pointer}/cert`, () => certificateIn(files.cert));
	const key = attempt(`${pointer}/key`, () => keyIn(files.key));
	if ("message" in certificate || "message" in key)
		return [certificate, key].filter((each) => "message" in each);
	if (certificate.value.checkPrivateKey(key.value)) return [];
	return [{ pointer: `${pointer}/key`, message: `${files.key} is not the key of ${files.cert}` }];
}

function attempt<T>(pointer: string, read: () => T): { readonly value: T } | SettingProblem {
	try {
		return { value: read() };
	} catch (error) {
		return { pointer, message: (error as Error).message };
	}
}

function certificateIn(path: string): X509Certificate {
	const bytes = contentOf(path);
	const text = bytes.toString("latin1");
	if (!CERTIFICATE.test(text)) {
		const der = `openssl x509 -inform der -in ${path} -out FILE`;
		throw new Error(
			`${path} holds no certificate in PEM${isDer(bytes) ? `; from DER: ${der}` : butHolds(text)}`,
		);
	}
	return parsed(path, "certificate", () => new X509Certificate(bytes));
}

function keyIn(path: string): KeyObject {
	const bytes = contentOf(path);
	const text = bytes.toString("latin1");
	if (ENCRYPTED.test(text))
		throw new Error(
			`${path} is encrypted with a passphrase, and weir asks for none; write a copy without one: openssl pkey -in ${path} -out FILE`,
		);
	if (!KEY.test(text)) {
		const der = `openssl pkey -inform der -in ${path} -out FILE`;
		throw new Error(
			`${path} holds no private key in PEM${isDer(bytes) ? `; from DER: ${der}` : butHolds(text)}`,
		);
	}
	return parsed(path, "private key", () => createPrivateKey(bytes));
}

function contentOf(path: string): Buffer {
	try {
		return readPemFile(path);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		throw code === undefined
			? error
			: new Error(`cannot read ${path}: ${code}`, { cause: message });
	}
}

function parsed<T>(path: string, what: string, parse: () => T): T {
	try {
		return parse();
	} catch (error) {
		throw new Error(`${path} holds a ${what} that can't be read: ${(error as Error).message}`);
	}
}

const CERTIFICATE = /^-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/m;
const KEY = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/m;
/** The two forms in which PEM has it: PKCS #8, and the older one of OpenSSL. */
const ENCRYPTED = /^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: *4, *ENCRYPTED/m;

/** As a sequence of ASN.1 that is longer than 127 bytes begins. */
const isDer = (bytes: Buffer): boolean => bytes[0] === 0x30 && (bytes[1] ?? 0) > 0x80;

function butHolds(text: string): string {
	if (text === "") return ", it is empty";
	if (KEY.test(text)) return ", but a private key; are cert and key exchanged?";
	if (CERTIFICATE.test(text)) return ", but a certificate; are cert and key exchanged?";
	return "";
}
