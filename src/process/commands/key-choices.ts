/** Reads the flags of `weir keys`, and which key a word means. Pure. Called by `keys-command.ts`. */
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { KEY_ROLES, type KeyRole } from "../../store/key-roles.ts";
import type { StoredKey } from "../../store/store.ts";
import { unknown } from "./command-line.ts";
import { parseExpiry } from "./key-expiry.ts";

type Flags = Readonly<Record<string, unknown>>;

/** Flags that only some of the actions take. */
const OWN_FLAGS: Readonly<Record<string, readonly string[]>> = {
	create: ["name", "description", "role", "expires", "local", "json"],
	list: ["json"],
	revoke: [],
};

export const KEY_ACTIONS = Object.keys(OWN_FLAGS);

/** @returns a sentence if a flag is given that `action` would not look at */
export function strayFlag(action: string, flags: Flags): string | undefined {
	for (const name of OWN_FLAGS.create ?? []) {
		if (flags[name] === undefined || OWN_FLAGS[action]?.includes(name) === true) continue;
		const takers = KEY_ACTIONS.filter((each) => OWN_FLAGS[each]?.includes(name) === true);
		return `--${name} is for keys ${takers.join(" and keys ")}, not for keys ${action}`;
	}
	return undefined;
}

export interface WantedKey {
	readonly name: string;
	readonly role: KeyRole;
	/** RFC 3339; undefined: never */
	readonly expiresAt: string | undefined;
	/** for this machine alone, of a fleet */
	readonly isLocal: boolean;
}

/** @param nowMs since 1970 @returns the error is a sentence */
export function wantedKey(flags: Flags, nowMs: number): Result<WantedKey, string> {
	const { name, description, role = "admin", expires } = flags;
	if (name !== undefined && description !== undefined)
		return fail("--description is the former name of --name; give one of them");
	const given = String(name ?? description ?? "");
	if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(given) || given.length > LIMITS.keyNameCharacters)
		return fail(
			`--name: at most ${LIMITS.keyNameCharacters} characters, without line breaks and other characters that can't be seen`,
		);
	const known = KEY_ROLES.find((each) => each === role);
	if (known === undefined) return fail(`--role: ${unknown("role", String(role), KEY_ROLES)}`);
	const wanted = { name: given, role: known, isLocal: flags.local === true };
	if (expires === undefined) return ok({ ...wanted, expiresAt: undefined });
	const expiry = parseExpiry(String(expires), nowMs);
	return expiry.ok ? ok({ ...wanted, expiresAt: expiry.value }) : expiry;
}

/** The key with this id, or the only one with this name. @returns the error is a sentence */
export function chosenKey(keys: readonly StoredKey[], word: string): Result<StoredKey, string> {
	const byId = keys.find(({ id }) => id === word);
	if (byId !== undefined) return ok(byId);
	const named = keys.filter(({ name }) => name === word);
	const [only] = named;
	if (only === undefined)
		return fail(`there is no key with the id or name "${word}"; weir keys list shows all`);
	if (named.length === 1) return ok(only);
	const ids = named.map(({ id }) => id).join(", ");
	return fail(`${named.length} keys have the name "${word}": give the id of one, ${ids}`);
}
