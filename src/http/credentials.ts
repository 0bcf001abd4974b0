/**
 * User names and passwords of basic authentication (RFC 7617), as documents have them: plain, or with a salted hash in
 * the password's place. Passwords are compared in a time that tells nothing of them, and no sentence of this file
 * repeats one. Used by basic-auth.
 */
import { hash, randomBytes } from "node:crypto";
import { fail, ok, type Result } from "../errors.ts";

export interface HashedCredential {
	readonly user: string;
	readonly salt: string;
	/** SHA-256 of salt and password, one behind the other, in hexadecimal */
	readonly hash: string;
}

export interface PlainCredential {
	readonly user: string;
	readonly password: string;
}

const SCHEME = "{sha256}";
const HASHED = /^([\w.+/=-]{8,64})\$([0-9a-f]{64})$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;
const PASSWORD_CHARACTERS_MIN = 8;
const PASSWORD_CHARACTERS_MAX = 128;
const SALT_BYTES = 16;

/** @returns the error is a sentence without the text */
export function credentialOf(text: string): Result<HashedCredential | PlainCredential, string> {
	const colon = text.indexOf(":");
	if (colon < 0) return fail('is no "user:password": there is no colon');
	const user = text.slice(0, colon);
	const password = text.slice(colon + 1);
	if (user === "") return fail("has no user name before the colon");
	if (CONTROL.test(text)) return fail("holds a control character");
	if (password.startsWith(SCHEME)) {
		const [, salt, digest] = HASHED.exec(password.slice(SCHEME.length)) ?? [];
		if (salt !== undefined && digest !== undefined) return ok({ user, salt, hash: digest });
		const form = `write "user:${SCHEME}SALT$HASH" with 8 to 64 letters or digits of salt and the 64 hexadecimal digits of SHA-256 of salt and password`;
		return fail(`is no hashed password; ${form}`);
	}
	const { length } = [...password];
	if (length < PASSWORD_CHARACTERS_MIN || length > PASSWORD_CHARACTERS_MAX) {
		const bounds = `${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX}`;
		return fail(`has a password of ${length} characters; ${bounds} are allowed`);
	}
	return ok({ user, password });
}

export const newSalt = (): string => randomBytes(SALT_BYTES).toString("hex");

export const hashedWith = (
	salt: string,
	{ user, password }: PlainCredential,
): HashedCredential => ({
	user,
	salt,
	hash: hash("sha256", salt + password, "hex"),
});

export const credentialText = ({ user, salt, hash }: HashedCredential): string =>
	`${user}:${SCHEME}${salt}$${hash}`;

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/** What an `authorization` field says; undefined if it is no basic authentication. */
export function presentedIn(field: string): PlainCredential | undefined {
	const encoded = BASIC.exec(field)?.[1];
	if (encoded === undefined) return undefined;
	const text = Buffer.from(encoded, "base64").toString("utf8");
	const colon = text.indexOf(":");
	return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

interface Salted {
	readonly salt: string;
	readonly entries: readonly { readonly user: string; readonly digest: Int32Array }[];
}

const DIGEST_WORDS = 8;

function wordsOf(digest: Buffer): Int32Array {
	const words = new Int32Array(DIGEST_WORDS);
	for (let at = 0; at < DIGEST_WORDS; at++) words[at] = digest.readInt32LE(at * 4);
	return words;
}

/** Entries that share a salt cost one hash together. */
export class Credentials {
	readonly #salted: readonly Salted[];

	constructor(credentials: readonly HashedCredential[]) {
		const bySalt = new Map<string, { user: string; digest: Int32Array }[]>();
		for (const { user, salt, hash } of credentials) {
			const entries = bySalt.get(salt) ?? [];
			bySalt.set(salt, entries);
			entries.push({ user, digest: wordsOf(Buffer.from(hash, "hex")) });
		}
		this.#salted = [...bySalt].map(([salt, entries]) => ({ salt, entries }));
	}

	/** Hot. Takes as long whether an entry fits or not, and whichever does. */
	knows({ user, password }: PlainCredential): boolean {
		let known = 0;
		for (const { salt, entries } of this.#salted) {
			const digest = wordsOf(hash("sha256", salt + password, "buffer"));
			for (const entry of entries) {
				const differs = textDifference(entry.user, user) | digestDifference(entry.digest, digest);
				known |= differs === 0 ? 1 : 0;
			}
		}
		return known === 1;
	}
}

function digestDifference(one: Int32Array, other: Int32Array): number {
	let difference = 0;
	for (let at = 0; at < DIGEST_WORDS; at++) difference |= (one[at] ?? 0) ^ (other[at] ?? 0);
	return difference;
}

/** The time depends on the length of `own` alone. */
function textDifference(own: string, given: string): number {
	let difference = own.length ^ given.length;
	// behind the end of a text there is NaN, which counts as 0
	for (let at = 0; at < own.length; at++) difference |= own.charCodeAt(at) ^ given.charCodeAt(at);
	return difference;
}
