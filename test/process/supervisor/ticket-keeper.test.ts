/** When secrets of session tickets are replaced, in two steps. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { TicketSecrets } from "../../../src/edge/tls/ticket-key.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { TicketKeeper } from "../../../src/process/supervisor/ticket-keeper.ts";

const { ticketSecretMs: PERIOD_MS, ticketHandoverMs: HANDOVER_MS } = LIMITS;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function keep() {
	const told: TicketSecrets[] = [];
	const keeper = new TicketKeeper((secrets) => told.push(secrets));
	return { keeper, told };
}

it("makes secrets of 32 bytes that nobody else has", () => {
	const [one, other] = [keep().keeper.secrets, keep().keeper.secrets];
	const all = [one.seal, one.open, other.seal, other.open];
	expect(new Set(all).size).toBe(4);
	for (const secret of all) expect(Buffer.from(secret, "base64")).toHaveLength(32);
});

it("tells the next secret before it is used, and takes the last one's tickets for a period", () => {
	const { keeper, told } = keep();
	const { seal: first } = keeper.secrets;
	vi.advanceTimersByTime(PERIOD_MS - 1);
	expect(told).toEqual([]);

	vi.advanceTimersByTime(1);
	expect(told).toEqual([{ seal: first, open: expect.any(String) }]);
	const second = told[0]?.open;
	expect(keeper.secrets).toEqual(told[0]);

	vi.advanceTimersByTime(HANDOVER_MS);
	expect(told.slice(1)).toEqual([{ seal: second, open: first }]);
	expect(keeper.secrets).toEqual(told[1]);

	// The second's own period is over: the first is known to nobody any more.
	vi.advanceTimersByTime(PERIOD_MS);
	expect(told).toHaveLength(4);
	expect(told[3]?.open).toBe(second);
	expect([told[2], told[3]].flatMap((pair) => Object.values(pair ?? {}))).not.toContain(first);
});

it("is still once it is closed, also between the two steps", () => {
	const { keeper, told } = keep();
	vi.advanceTimersByTime(PERIOD_MS);
	keeper.close();
	vi.advanceTimersByTime(3 * PERIOD_MS);
	expect(told).toHaveLength(1);
	expect(vi.getTimerCount()).toBe(0);
});

it("goes on with another one's secrets as old as they are, so that they are replaced however often that happens", () => {
	const { keeper } = keep();
	vi.advanceTimersByTime(PERIOD_MS - 1000);
	const told: TicketSecrets[] = [];
	const next = new TicketKeeper((secrets) => told.push(secrets), keeper.given);
	keeper.close();
	expect(next.secrets).toEqual(keeper.secrets);
	vi.advanceTimersByTime(999);
	expect(told).toEqual([]);
	vi.advanceTimersByTime(1);
	expect(told).toHaveLength(1);
	next.close();
	expect(vi.getTimerCount()).toBe(0);
});
