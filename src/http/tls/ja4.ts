/**
 * JA4, the fingerprint of a TLS client, of its raw form JA4_r, which the addon makes of the ClientHello
 * (native/src/front/ja4.h). Hashing is left to here and to whoever asks first, since few policies ask at all: the
 * caller keeps the result with the connection.
 */
import { hash } from "node:crypto";

const HASH_CHARACTERS = 12;
/** of a list of nothing: the definition's own mark, in the place of a hash */
const NOTHING = "0".repeat(HASH_CHARACTERS);

const shortened = (list: string): string =>
	list === "" ? NOTHING : hash("sha256", list).slice(0, HASH_CHARACTERS);

/**
 * @param raw three parts with `_` between them: what is readable, the cipher suites, and the extensions, with another
 *   `_` and the signature algorithms if there are any; empty where the addon made none
 * @returns as in `t13d1516h2_8daaf6152771_e5627efa2ab1`; undefined of an empty text
 */
export function ja4Of(raw: string): string | undefined {
	if (raw === "") return undefined;
	const suitesAt = raw.indexOf("_") + 1;
	const extensionsAt = raw.indexOf("_", suitesAt) + 1;
	const suites = raw.slice(suitesAt, extensionsAt - 1);
	return `${raw.slice(0, suitesAt)}${shortened(suites)}_${shortened(raw.slice(extensionsAt))}`;
}
