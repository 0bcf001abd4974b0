/**
 * Who sends a request (contract 2, "Auth"). Keys are looked up in the store at each request, so that one
 * created or revoked by `weir keys` in another process counts from the next request on; they are read
 * again only when the store's keys have changed. What a key may do is decided in `admission.ts`.
 */
import { timingSafeEqual } from "node:crypto";
import { ApiError } from "../../errors.ts";
import type { Store, StoredKey } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import { expiryOf, hashApiKey } from "../api-keys.ts";
import type { Identity } from "./identity.ts";
import type { ApiRequest } from "./request.ts";

type Keys = Pick<Store, "refresh" | "keys" | "keysRevision" | "noteKeyUse">;

interface KnownKey extends Identity {
	readonly hash: Buffer;
	/** milliseconds since 1970; infinite: never */
	readonly expiresAtMs: number;
}

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

/** The key in the environment variable `WEIR_API_KEY`. It has no record in the store. */
const CONFIGURED: Identity = { id: "configured", name: "WEIR_API_KEY", role: "admin" };

export class Authenticator {
	readonly #store: Keys;
	readonly #configured: readonly KnownKey[];
	readonly #now: () => number;
	#revision = -1;
	#stored: readonly KnownKey[] = [];

	/**
	 * @param configuredKey `WEIR_API_KEY`; valid beside those of the store
	 * @param now milliseconds since 1970
	 */
	constructor(store: Keys, configuredKey: string | undefined, now: () => number = Date.now) {
		this.#store = store;
		this.#now = now;
		this.#configured =
			configuredKey === undefined
				? []
				: [known({ ...CONFIGURED, hash: hashApiKey(configuredKey) })];
		this.#current();
	}

	/** @throws ApiError 401 without credentials, 403 with malformed, unknown or expired ones */
	check(request: ApiRequest): Identity {
		const values = request.headers("authorization");
		const [value] = values;
		if (value === undefined) {
			throw new ApiError(
				"ERR_UNAUTHORIZED",
				"An API key is required: send it as Authorization: Bearer <key>.",
			);
		}
		const key = values.length === 1 ? BEARER.exec(value)?.[1] : undefined;
		if (key === undefined) {
			throw new ApiError(
				"ERR_FORBIDDEN",
				"The authorization field is malformed; it must be Bearer <key>.",
			);
		}
		const found = this.#find(Buffer.from(hashApiKey(key), "hex"));
		if (found === undefined) throw new ApiError("ERR_FORBIDDEN", "The API key is not valid.");
		const { id, name, role, expiresAtMs } = found;
		const nowMs = this.#now();
		if (expiresAtMs <= nowMs) {
			request.notes.expiredKey = { id, name };
			throw expired(id, expiresAtMs);
		}
		if (found !== this.#configured[0]) this.#store.noteKeyUse(id, nowMs);
		return { id, name, role };
	}

	/** Of a request that was let in before: is its key still good? */
	isValid(request: ApiRequest): boolean {
		try {
			this.check(request);
			return true;
		} catch (error) {
			if (error instanceof ApiError) return false;
			throw error;
		}
	}

	/** Compares with every key, in constant time each, and does not stop at the first that fits. */
	#find(presented: Buffer): KnownKey | undefined {
		let found: KnownKey | undefined;
		for (const key of [...this.#configured, ...this.#current()]) {
			if (timingSafeEqual(key.hash, presented)) found ??= key;
		}
		return found;
	}

	/** Those read last where the store is lost: nobody can add or revoke any then. */
	#current(): readonly KnownKey[] {
		try {
			this.#readChanged();
		} catch (error) {
			if (!(error instanceof StoreError && error.lost)) throw error;
		}
		return this.#stored;
	}

	#readChanged(): void {
		this.#store.refresh();
		const revision = this.#store.keysRevision();
		if (revision === this.#revision) return;
		this.#stored = this.#store
			.keys()
			.map(known)
			.filter(({ hash }) => hash.length === 32);
		this.#revision = revision;
	}
}

const known = (key: Omit<StoredKey, "createdAt">): KnownKey => ({
	id: key.id,
	name: key.name,
	role: key.role,
	hash: Buffer.from(key.hash, "hex"),
	expiresAtMs: expiryOf(key),
});

const expired = (id: string, expiresAtMs: number): ApiError =>
	new ApiError(
		"ERR_KEY_EXPIRED",
		`The API key ${id} expired at ${new Date(expiresAtMs).toISOString()}; create another with weir keys create.`,
	);
