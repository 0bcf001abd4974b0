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
} from "../../../http/credentials.ts";
import type { Seal } from "../action.ts";

export const sealedCredentials: Seal = (config, stored) => {
	const { credentials } = config;
	if (!Array.isArray(credentials)) return config;
	const before = stored.flatMap((each) => hashedIn(each.credentials));
	const salt = newSalt();
	const sealed = credentials.map((text: unknown) => {
		const literal = literalOf(text);
		if (literal === undefined) return text;
		const credential = credentialOf(literal);
		if (!credential.ok || "hash" in credential.value) return text;
		const plain = credential.value;
		const same = before.find(
			(each) => each.user === plain.user && new Credentials([each]).knows(plain),
		);
		return credentialText(same ?? hashedWith(salt, plain)).replaceAll("${", () => "$${");
	});
	return { ...config, credentials: sealed };
};

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
