/**
 * Puts salted hashes in the place of passwords before a document is stored. A password that fits the hash which the
 * stored document has for its user keeps that hash, so that putting a document again is no change. Called through the
 * table of actions by `document/seal.ts`.
 */
import {
	Credentials,
	credentialOf,
	credentialText,
	type HashedCredential,
	hashedWith,
	newSalt,
	type PlainCredential,
} from "../../../http/credentials.ts";
import type { Seal } from "../action.ts";

export const sealedCredentials: Seal = (config, stored) => {
	const { credentials } = config;
	if (!Array.isArray(credentials)) return config;
	const before = stored.flatMap((each) => hashedIn(each.credentials));
	const salts = saltsFrom(before);
	const sealed = credentials.map((text: unknown) => {
		const literal = literalOf(text);
		if (literal === undefined) return text;
		const credential = credentialOf(literal);
		if (!credential.ok || "hash" in credential.value) return text;
		const plain = credential.value;
		const same = before.find(
			(each) => each.user === plain.user && new Credentials([each]).knows(plain),
		);
		return credentialText(same ?? salts.hashed(plain)).replaceAll("${", () => "$${");
	});
	return { ...config, credentials: sealed };
};

/** characters; shorter ones that somebody has chosen are for their own entry alone */
const SHARED_SALT = 8;

/**
 * One salt for a whole document, so that requests cost one hash, but where that would show that two users have the same
 * password.
 */
function saltsFrom(before: readonly HashedCredential[]) {
	const counts = new Map<string, number>();
	for (const { salt } of before)
		if (salt.length >= SHARED_SALT) counts.set(salt, (counts.get(salt) ?? 0) + 1);
	const [commonest] = [...counts].sort(([, one], [, other]) => other - one);
	const shared = commonest?.[0] ?? newSalt();
	const users = new Map(before.map(({ hash, user }) => [hash, user]));
	return {
		hashed(plain: PlainCredential): HashedCredential {
			const made = hashedWith(shared, plain);
			const owner = users.get(made.hash);
			if (owner !== undefined && owner !== plain.user) return hashedWith(newSalt(), plain);
			users.set(made.hash, plain.user);
			return made;
		},
	};
}

const hashedIn = (credentials: unknown): readonly HashedCredential[] =>
	(Array.isArray(credentials) ? credentials : []).flatMap((text: unknown) => {
		const literal = literalOf(text);
		const credential = literal === undefined ? undefined : credentialOf(literal);
		return credential?.ok === true && "hash" in credential.value ? [credential.value] : [];
	});

/** A text without an expression, as it is compared; undefined for one with. */
function literalOf(text: unknown): string | undefined {
	if (typeof text !== "string") return undefined;
	if (text.replaceAll("$${", "").includes("${")) return undefined;
	return text.replaceAll("$${", () => "${");
}
