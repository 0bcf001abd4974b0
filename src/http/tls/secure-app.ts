/**
 * The server library's app for a TLS listener: certificates by SNI, versions and cipher suites. Called by
 * `edge/server.ts`, `management/http/listener.ts` and `process/config/start-obstacles.ts`.
 *
 * The library is linked with BoringSSL and exports none of its functions. Its only option for versions and suites
 * is passed on to `SSL_CTX_set_cipher_list`. The library itself asks for TLS 1.2 or newer, and the suites of TLS 1.3
 * are fixed.
 */
import type { TlsFiles, TlsSettings } from "../../config.ts";
import { SSLApp, type TemplatedApp } from "../uws.ts";
import { certificateNames } from "./certificates.ts";

/**
 * A suite that needs a pre-shared key, which nobody has. With this suite alone no handshake of TLS 1.2 succeeds.
 * Handshakes of TLS 1.3 do, because its suites are not part of the list.
 */
const NONE_OF_TLS_1_2 = "ECDHE-PSK-CHACHA20-POLY1305";

/**
 * An app with one certificate for all clients, whatever name they send. Without names, the library has nothing to print
 * on stdout.
 * @throws Error if the certificate or the suites can't be used
 */
export function oneCertificateApp(files: TlsFiles, settings: TlsSettings): TemplatedApp {
	certificateNames(files);
	return makeApp(optionsFor(files, settings), settings.ciphers);
}

/**
 * The first certificate is used for names that no certificate has.
 * @param register called for each name and with an empty one for all others and for wildcards: each has
 *   handlers of its own, and without them its requests would hang
 * @returns undefined if there is no certificate
 * @throws Error if a certificate or the suites can't be used
 */
export function secureApp(
	certificates: readonly TlsFiles[],
	settings: TlsSettings,
	register: (app: TemplatedApp, sni: string) => void,
): TemplatedApp | undefined {
	const [first] = certificates;
	if (first === undefined) return undefined;
	const named = certificates.map((files) => ({ files, names: certificateNames(files) }));
	const options = (files: TlsFiles) => optionsFor(files, settings);
	const app = makeApp(options(first), settings.ciphers);
	// First, because handlers that are registered after `domain` belong to that name alone.
	register(app, "");
	const taken = new Set<string>();
	for (const { files, names } of named) {
		for (const name of names) {
			if (taken.has(name)) continue;
			taken.add(name);
			app.addServerName(name, optionsFor(files, settings));
			register(app.domain(name), name.startsWith("*") ? "" : name);
		}
	}
	return app;
}

/** For `weir check`, which listens nowhere. @param files good ones @throws Error the suites can't be used */
export const trySuites = (files: TlsFiles, settings: TlsSettings): unknown =>
	makeApp(optionsFor(files, settings), settings.ciphers).close();

const optionsFor = ({ cert, key }: TlsFiles, { minVersion, ciphers }: TlsSettings) => ({
	cert_file_name: cert,
	key_file_name: key,
	ssl_ciphers: minVersion === "TLSv1.3" ? NONE_OF_TLS_1_2 : ciphers,
});

/** Certificate and key were checked before, so an error is about the suites. */
function makeApp(options: Parameters<typeof SSLApp>[0], ciphers: string): TemplatedApp {
	try {
		return SSLApp(options);
	} catch (error) {
		const reason = (error as Error).message;
		throw new Error(`tls/ciphers: the server library can't use "${ciphers}" (${reason})`);
	}
}
