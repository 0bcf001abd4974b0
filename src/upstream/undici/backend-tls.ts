/**
 * What a backend's `tls` (contract 6) means for the TLS library: reads the files that the document names, once, when
 * the backend comes into use. Used by `undici-upstream.ts`.
 */
import { createHash, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, type SecureContext, type SecureContextOptions } from "node:tls";
import { LIMITS } from "../../limits/limits.ts";
import type { BackendTls } from "../../store/backend-tls.ts";

/** Options of `tls.connect`. */
export interface TlsSettings {
	readonly secureContext?: SecureContext;
	readonly servername?: string;
	readonly rejectUnauthorized?: boolean;
}

/** @throws Error naming the file that can't be read or used */
export function tlsSettings(tls: BackendTls): TlsSettings {
	return {
		secureContext: contextOf(tls),
		...(tls.server_name === undefined ? {} : { servername: tls.server_name }),
		...(tls.verify === false ? { rejectUnauthorized: false } : {}),
	};
}

function contextOf({ ca, client_cert, client_key }: BackendTls): SecureContext {
	const authorities = ca === undefined ? {} : { ca: authoritiesIn(ca) };
	if (client_cert === undefined || client_key === undefined) {
		return contextFor(authorities);
	}
	const pair = { cert: read("client_cert", client_cert), key: read("client_key", client_key) };
	return told(`tls.client_cert ${client_cert} with tls.client_key ${client_key}`, () =>
		contextFor({ ...authorities, ...pair }),
	);
}

/** @throws Error if there is none in PEM: the library takes no notice of such a file, and then trusts nobody */
function authoritiesIn(ca: string): Buffer {
	const file = read("ca", ca);
	return told(`tls.ca ${ca}`, () => {
		if (!/^-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/m.test(file.toString("latin1")))
			throw new Error("has no certificate in PEM");
		new X509Certificate(file);
		return file;
	});
}

/** By what their files hold: reading a system's authorities takes 20 ms, and a thousand routes may name the same. */
const contexts = new Map<string, WeakRef<SecureContext>>();

interface Files extends SecureContextOptions {
	readonly ca?: Buffer;
	readonly cert?: Buffer;
	readonly key?: Buffer;
}

/** Sessions are kept by each backend's own connector, so nothing but the files' content is shared. */
function contextFor(files: Files): SecureContext {
	const hash = createHash("sha256");
	for (const file of [files.ca, files.cert, files.key])
		hash.update(`${file?.length ?? "none"}\n`).update(file ?? "");
	const content = hash.digest("base64");
	const known = contexts.get(content)?.deref();
	if (known !== undefined) return known;
	for (const [each, context] of contexts) if (context.deref() === undefined) contexts.delete(each);
	const made = createSecureContext(files);
	contexts.set(content, new WeakRef(made));
	return made;
}

/** Anything but a file of moderate size could keep the worker waiting. */
function read(field: string, file: string): Buffer {
	return told(`tls.${field} ${file}`, () => {
		const found = statSync(file);
		if (!found.isFile()) throw new Error("is no regular file");
		if (found.size > LIMITS.pemBytes) throw new Error("is too large for a certificate or a key");
		return readFileSync(file);
	});
}

/** @throws what `run` throws, with the place before it */
function told<Result>(place: string, run: () => Result): Result {
	try {
		return run();
	} catch (error) {
		throw new Error(`${place}: ${(error as Error).message}`);
	}
}
