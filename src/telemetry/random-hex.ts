/**
 * Random hexadecimal digits, as ids of requests, traces and spans are made of: nobody can tell from one how many
 * requests there are, and no two processes make the same. Random bytes are had for many ids at once, because a call for
 * each costs more than the id. Used by `request-id.ts` and `traces/trace-context.ts`.
 */
import { randomBytes } from "node:crypto";

/** 64 request ids; more would be kept in memory by each request that takes long, as long as it holds one id */
const POOL_BYTES = 1024;
const DIGITS = POOL_BYTES * 2;

let pool = "";
let taken = DIGITS;

/** Hot: about 20 ns. @param digits 32 at most, an even number */
export function randomHex(digits: number): string {
	if (taken + digits > DIGITS) {
		pool = randomBytes(POOL_BYTES).toString("hex");
		taken = 0;
	}
	const id = pool.slice(taken, taken + digits);
	taken += digits;
	return id;
}
