/**
 * User names and passwords of basic authentication (RFC 7617), as documents have them: plain, or with a salted hash in
 * the password's place. Passwords are compared in a time that tells nothing of them, and no sentence of this file
 * repeats one. Used by basic-auth.
 */
import { hash, randomBytes } from "node:crypto";
import { asciiLowerCase } from "../ascii.ts";
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
const SCHEME_IN_ANY_CASE = /^([^:]*:)\{sha256\}/i;
const HASHED = /^([\w.+/=-]{1,64})\$([0-9a-f]{64})$/i;
/** Hashes as `.htpasswd`, `shadow` and directories have them: who writes one here does not mean it as a password. */
const OTHER_HASH =
	/^(?:\{(?!sha256\})(?:s?sha\d*|s?md5|apr1|crypt|[bsy]crypt|argon2\w*|pbkdf2[\w-]*)\}|\$(?:2[abxy]?|apr1|[156y]|argon2\w*)\$)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;
const PASSWORD_CHARACTERS_MIN = 8;
const PASSWORD_CHARACTERS_MAX = 128;
const SALT_BYTES = 16;

const FORM = `write the password, or "user:${SCHEME}SALT$HASH" with 1 to 64 of A-Z, a-z, 0-9, _, ., +, /, = and - as salt and the 64 hexadecimal digits of SHA-256 of salt and password`;

type Credential = Result<HashedCredential | PlainCredential, string>;

/** As somebody has written it. @returns the error is a sentence without the text */
export function credentialOf(text: string): Credential {
	const password = text.slice(text.indexOf(":") + 1);
	if (OTHER_HASH.test(password)) return fail(`is a password hashed in another way; ${FORM}`);
	return filledCredential(text.replace(SCHEME_IN_ANY_CASE, `$1${SCHEME}`));
}

/** As expressions have filled it in, which mean by it what is there. */
export function filledCredential(text: string): Credential {
	const colon = text.indexOf(":");
	if (colon < 0) return fail('is no "user:password": there is no colon');
	const user = text.slice(0, colon);
	const password = text.slice(colon + 1);
	if (user === "") return fail("has no user name before the colon");
	if (CONTROL.test(text)) return fail("holds a control character");
	if (password.startsWith(SCHEME)) {
		const [, salt, digest] = HASHED.exec(password.slice(SCHEME.length)) ?? [];
		if (salt !== undefined && digest !== undefined)
			return ok({ user, salt, hash: asciiLowerCase(digest) });
		return fail(`is no hashed password; ${FORM}`);
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

/**
 * Two odd numbers of this process: how a user name becomes two words, which nobody outside can foresee. They only decide
 * which entry is looked at in full, so that the loop over all entries has one step of the same work for each.
 */
const SEED = randomBytes(8);
const [FIRST = 1, SECOND = 1] = [0, 4].map((at) => SEED.readUInt32LE(at) | 1);

/** The time depends on the length of the name alone. */
function tagOf(user: string, factor: number): number {
	let tag = user.length;
	for (let at = 0; at < user.length; at++) {
		tag = Math.imul(tag ^ user.charCodeAt(at), factor);
		tag ^= tag >>> 15;
	}
	return tag;
}

const wordAt = (digest: string, at: number): number =>
	digest.charCodeAt(at) |
	(digest.charCodeAt(at + 1) << 8) |
	(digest.charCodeAt(at + 2) << 16) |
	(digest.charCodeAt(at + 3) << 24);

/** as one character a byte, which is the form that is made quickest */
const digestOf = (salt: string, password: string): string =>
	hash("sha256", salt + password, "binary");

/** Entries with one salt. */
class Salted {
	readonly #salt: string;
	readonly #users: readonly string[];
	readonly #digests: readonly string[];
	/** of each entry: its name's word and a word of its digest, in one */
	readonly #first: Int32Array;
	readonly #second: Int32Array;

	constructor(salt: string, entries: readonly HashedCredential[]) {
		this.#salt = salt;
		this.#users = entries.map(({ user }) => user);
		this.#digests = entries.map(({ hash }) => Buffer.from(hash, "hex").toString("latin1"));
		const marks = (factor: number, at: number) =>
			Int32Array.from(
				this.#users,
				(user, index) => tagOf(user, factor) ^ wordAt(this.#digests[index] ?? "", at),
			);
		this.#first = marks(FIRST, 0);
		this.#second = marks(SECOND, 4);
	}

	/** Hot. Looks at every entry, with no branch between them. */
	knows(user: string, first: number, second: number, password: string): boolean {
		const digest = digestOf(this.#salt, password);
		const one = first ^ wordAt(digest, 0);
		const other = second ^ wordAt(digest, 4);
		const [firsts, seconds] = [this.#first, this.#second];
		let found = 0;
		for (let at = 0; at < firsts.length; at++) {
			const difference = ((firsts[at] ?? 0) ^ one) | ((seconds[at] ?? 0) ^ other);
			// all bits, or none where the entry is the one
			const isOther = (difference | -difference) >> 31;
			found = (found & isOther) | ((at + 1) & ~isOther);
		}
		// Who comes here has name and password right, but for one case in 2^64.
		return found > 0 && this.#users[found - 1] === user && this.#digests[found - 1] === digest;
	}
}

/** Entries that share a salt cost one hash together. */
export class Credentials {
	readonly #salted: readonly Salted[];

	constructor(credentials: readonly HashedCredential[]) {
		const bySalt = new Map<string, HashedCredential[]>();
		for (const credential of credentials) {
			const entries = bySalt.get(credential.salt) ?? [];
			bySalt.set(credential.salt, entries);
			entries.push(credential);
		}
		this.#salted = [...bySalt].map(([salt, entries]) => new Salted(salt, entries));
	}

	/** Hot. Takes as long whether an entry fits or not, whichever does, and whether there is such a user. */
	knows({ user, password }: PlainCredential): boolean {
		const [first, second] = [tagOf(user, FIRST), tagOf(user, SECOND)];
		let known = false;
		for (let at = 0; at < this.#salted.length; at++) {
			const isHere = this.#salted[at]?.knows(user, first, second, password) === true;
			known = isHere || known;
		}
		return known;
	}
}
