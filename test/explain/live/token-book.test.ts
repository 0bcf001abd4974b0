/** Tokens: known to all before anybody has one, so many at a time, and gone when they expire or are used up. */
import { hash } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { LiveToken } from "../../../src/edge/seen/seen-request.ts";
import { TokenBook } from "../../../src/explain/live/token-book.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wish = { ttlSeconds: 10, requests: 2 };

function book() {
	const told: (readonly LiveToken[])[] = [];
	const tokens = new TokenBook({ tell: async (live) => told.push(live) });
	return { tokens, told };
}

it("keeps hashes, and tells them to all first", async () => {
	const { tokens, told } = book();
	const header = { name: "x-key", value: "k" };
	const issued = await tokens.issue({ ...wish, clientIp: "192.0.2.1", header });
	const [live] = told.at(-1) ?? [];
	expect(live).toEqual({
		...{ hash: hash("sha256", issued?.token ?? ""), untilMs: issued?.untilMs },
		...{ clientIp: "192.0.2.1", header: { name: "x-key", hash: hash("sha256", "k") } },
	});
	expect(tokens.live).toEqual([live]);
	tokens.close();
});

it("are used up", async () => {
	const { tokens, told } = book();
	const { token = "" } = (await tokens.issue(wish)) ?? {};
	const uses = [1, 2, 3].map(() => tokens.use(hash("sha256", token)));
	expect(uses).toEqual([true, true, false]);
	expect(told.at(-1)).toEqual([]);
});

it("expire, each in its time, and make room", async () => {
	const { tokens, told } = book();
	for (let at = 0; at < LIMITS.explainTokens; at++)
		await tokens.issue({ ...wish, ttlSeconds: at === 0 ? 5 : 10 });
	expect(await tokens.issue(wish)).toBeUndefined();
	vi.advanceTimersByTime(5001);
	expect(told.at(-1)).toHaveLength(LIMITS.explainTokens - 1);
	expect(await tokens.issue(wish)).toBeDefined();
	vi.advanceTimersByTime(20_000);
	expect(told.at(-1)).toEqual([]);
	expect(vi.getTimerCount()).toBe(0);
});
