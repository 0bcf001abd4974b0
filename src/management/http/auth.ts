/**
 * Who may use the API (contract 2, "Auth"). Keys are looked up in the store at each request, so that one
 * created or revoked by `weir keys` in another process counts from the next request on; they are read
 * again only when the store's keys have changed.
 */
import { timingSafeEqual } from "node:crypto";
import { ApiError } from "../../errors.ts";
import type { KeyStore } from "../../store/store.ts";
import { StoreError } from "../../store/store-error.ts";
import { hashApiKey } from "../api-keys.ts";
import type { ApiRequest } from "./request.ts";

const BEARER = /^bearer +([\x21-\x7e]+)$/i;

export class Authenticator {
	readonly #store: Pick<KeyStore, "refresh" | "keys" | "keysRevision">;
	readonly #configured: readonly Buffer[];
	#revision = -1;
	#stored: readonly Buffer[] = [];

	/** @param configuredKey `WEIR_API_KEY`; valid beside those of the store */
	constructor(
		store: Pick<KeyStore, "refresh" | "keys" | "keysRevision">,
		configuredKey: string | undefined,
	) {
		this.#store = store;
		this.#configured = configuredKey ? [Buffer.from(hashApiKey(configuredKey), "hex")] : [];
		this.#current();
	}

	/** @throws ApiError 401 without credentials, 403 with malformed or unknown ones */
	check(request: ApiRequest): void {
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
		if (!this.#isKnown(Buffer.from(hashApiKey(key), "hex"))) {
			throw new ApiError("ERR_FORBIDDEN", "The API key is not valid.");
		}
	}

	/** Compares with every key, in constant time each, and does not stop at the first that fits. */
	#isKnown(presented: Buffer): boolean {
		let isKnown = false;
		for (const known of [...this.#configured, ...this.#current()]) {
			if (timingSafeEqual(known, presented)) isKnown = true;
		}
		return isKnown;
	}

	/** Those read last where the store is lost: nobody can add or revoke any then. */
	#current(): readonly Buffer[] {
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
			.map(({ hash }) => Buffer.from(hash, "hex"))
			.filter(({ length }) => length === 32);
		this.#revision = revision;
	}
}
