/** Self-made certificates in files, for tests of TLS listeners and of the config that names them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

export interface CertificateFiles {
	readonly cert: string;
	readonly key: string;
	/** the certificate itself, for clients that are to trust it */
	readonly pem: string;
}

/**
 * Writes `NAME.crt` and `NAME.key`.
 * @param names subject alternative names; none: only a common name
 * @param valid a year from now, if it isn't said
 */
export async function writeCertificate(
	folder: string,
	name: string,
	commonName: string,
	names: readonly string[] = [commonName],
	valid: { readonly notBeforeDate?: Date; readonly notAfterDate?: Date } = {},
): Promise<CertificateFiles> {
	const altNames = names.map((value) => ({ type: 2 as const, value }));
	const made = await generate([{ name: "commonName", value: commonName }], {
		keySize: 2048,
		...valid,
		extensions: names.length === 0 ? [] : [{ name: "subjectAltName", altNames }],
	});
	const files = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
	writeFileSync(files.cert, made.cert);
	writeFileSync(files.key, made.private);
	return { ...files, pem: made.cert };
}
