/** Reads and writes of one route's policy, with its etag. Used by use-policy.ts. */
import { ApiFailure, type Client, routePath } from "../api/client.ts";
import { printed } from "../text/printed.ts";

export interface Stored {
	/** as the editor shows it */
	readonly text: string;
	/** undefined: the route has no policy */
	readonly etag: string | undefined;
}

/** What a route without a policy begins with. */
export const NONE: Stored = { text: printed({ inbound: [], outbound: [] }), etag: undefined };

export class StoredPolicy {
	readonly #client: Client;
	readonly #path: string;

	constructor(client: Client, edgeId: string, routeId: string) {
		this.#client = client;
		this.#path = `${routePath(edgeId, routeId)}/policy`;
	}

	/** @throws ApiFailure */
	async read(signal?: AbortSignal): Promise<Stored> {
		try {
			const asking = signal === undefined ? {} : { signal };
			const { value, etag } = await this.#client.ask<unknown>(this.#path, asking);
			return { text: printed(value), etag };
		} catch (error) {
			if (error instanceof ApiFailure && error.code === "ERR_POLICY_NOT_FOUND") return NONE;
			throw error;
		}
	}

	/**
	 * @param seen what the text was written on top of
	 * @returns its new etag; undefined: somebody else has changed it since
	 * @throws ApiFailure
	 */
	async write(text: string, seen: Stored): Promise<string | undefined> {
		try {
			const asking = { method: "PUT", body: text, headers: conditionOf(seen) };
			return (await this.#client.ask<unknown>(this.#path, asking)).etag;
		} catch (error) {
			const changed = error instanceof ApiFailure && CHANGED.has(error.code);
			if (changed) return undefined;
			throw error;
		}
	}

	/**
	 * Puts a former version in force.
	 * @param seen what is in force, as far as is known
	 * @returns what is stored then; undefined: somebody else has changed it since
	 * @throws ApiFailure
	 */
	async rollBack(to: number, seen: Stored): Promise<Stored | undefined> {
		try {
			const body = JSON.stringify({ to });
			const asking = { method: "POST", body, headers: conditionOf(seen) };
			const { value, etag } = await this.#client.ask<unknown>(`${this.#path}/rollback`, asking);
			return { text: printed(value), etag };
		} catch (error) {
			if (error instanceof ApiFailure && CHANGED.has(error.code)) return undefined;
			throw error;
		}
	}
}

const conditionOf = ({ etag }: Stored): Record<string, string> =>
	etag === undefined ? { "if-none-match": "*" } : { "if-match": etag };

/** With `if-match` on a policy that was deleted the API answers as if it had never been. */
const CHANGED: ReadonlySet<string> = new Set(["ERR_PRECONDITION_FAILED", "ERR_POLICY_NOT_FOUND"]);
