/**
 * The tokens with which clients have real requests explained (contract 2, "Explain"): made for who asks for one, known to all
 * workers before that one has it, and gone when they expire or are used up. Kept in memory, as hashes alone. Made by
 * `process/supervisor/live-page.ts`.
 */
import { hash, randomBytes } from "node:crypto";
import type { LiveToken } from "../../edge/seen/seen-request.ts";
import { LIMITS } from "../../limits/limits.ts";

export interface TokenWish {
	/** an address or a range that clients must come from */
	readonly clientIp?: string | undefined;
	/** a field that requests must have; name in lower case */
	readonly header?: { readonly name: string; readonly value: string } | undefined;
	readonly ttlSeconds: number;
	/** how many it has explained */
	readonly requests: number;
}

export interface IssuedToken {
	/** nobody can tell it later */
	readonly token: string;
	/** milliseconds since 1970 */
	readonly untilMs: number;
}

interface Kept {
	readonly live: LiveToken;
	/** requests that it may still have explained */
	left: number;
}

interface TokenBookOptions {
	/** Has all workers know these and no others; resolves when they do. */
	readonly tell: (tokens: readonly LiveToken[]) => Promise<unknown>;
	/** milliseconds since 1970 */
	readonly now?: () => number;
}

const TOKEN_BYTES = 24;
const SECOND_MS = 1000;
const hashOf = (text: string): string => hash("sha256", text);

export class TokenBook {
	readonly #tell: TokenBookOptions["tell"];
	readonly #now: () => number;
	readonly #tokens = new Map<string, Kept>();
	#timer: NodeJS.Timeout | undefined;

	constructor({ tell, now = Date.now }: TokenBookOptions) {
		this.#tell = tell;
		this.#now = now;
	}

	/** For workers that start. */
	get live(): readonly LiveToken[] {
		return [...this.#tokens.values()].map(({ live }) => live);
	}

	/** Resolves when all workers know it. @returns undefined: as many live as there may be */
	async issue({
		clientIp,
		header,
		ttlSeconds,
		requests,
	}: TokenWish): Promise<IssuedToken | undefined> {
		this.#forgetExpired();
		if (this.#tokens.size >= LIMITS.explainTokens) return undefined;
		const token = `wxt_${randomBytes(TOKEN_BYTES).toString("base64url")}`;
		const untilMs = this.#now() + ttlSeconds * SECOND_MS;
		const live = {
			...{ hash: hashOf(token), untilMs, clientIp },
			header: header && { name: header.name, hash: hashOf(header.value) },
		};
		this.#tokens.set(live.hash, { live, left: requests });
		await this.#changed();
		return { token, untilMs };
	}

	/** A request that was made with it is to be explained. @returns false: it has been used up, or is not known any more */
	use(tokenHash: string): boolean {
		const kept = this.#tokens.get(tokenHash);
		if (kept === undefined) return false;
		kept.left--;
		if (kept.left === 0) {
			this.#tokens.delete(tokenHash);
			void this.#changed();
		}
		return true;
	}

	close(): void {
		clearTimeout(this.#timer);
	}

	#forgetExpired(): boolean {
		const nowMs = this.#now();
		const expired = [...this.#tokens].filter(([, { live }]) => live.untilMs <= nowMs);
		for (const [tokenHash] of expired) this.#tokens.delete(tokenHash);
		return expired.length > 0;
	}

	/** Workers look for tokens while they know one: they have to hear when there is none any more. */
	#changed(): Promise<unknown> {
		clearTimeout(this.#timer);
		const soonest = Math.min(...this.live.map(({ untilMs }) => untilMs));
		if (Number.isFinite(soonest)) {
			this.#timer = setTimeout(
				() => {
					this.#forgetExpired();
					void this.#changed();
				},
				Math.max(soonest - this.#now(), 1),
			).unref();
		}
		return this.#tell(this.live);
	}
}
