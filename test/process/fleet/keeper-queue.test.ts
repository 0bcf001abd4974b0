/** Writes wait while no membership is open, go to the one that is, and are refused while the store is handed over. */
import { expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { KeeperQueue } from "../../../src/process/fleet/keeper-queue.ts";
import { StoreError } from "../../../src/store/store-error.ts";
import type { WriteQueue } from "../../../src/store/write-queue.ts";
import { QUEUE } from "./fake-fleet.ts";

const ORIGIN = { at: "2026-11-22T08:00:00.000Z" };
const queueOf = (value: string): WriteQueue => ({
	...QUEUE,
	write: async <T>() => value as T,
});

it("passes on what waited, once there is a queue", async () => {
	const keeper = new KeeperQueue();
	const waited = keeper.write(() => "", ORIGIN);
	keeper.use(queueOf("first"));
	expect(await waited).toBe("first");
	keeper.use(queueOf("second"));
	expect(await keeper.write(() => "", ORIGIN)).toBe("second");
});

it("refuses what has waited for too long", async () => {
	vi.useFakeTimers();
	try {
		const waited = new KeeperQueue().write(() => "", ORIGIN);
		const refused = expect(waited).rejects.toMatchObject({ code: "ERR_FLEET_UNAVAILABLE" });
		await vi.advanceTimersByTimeAsync(LIMITS.fleetWriteMs);
		await refused;
	} finally {
		vi.useRealTimers();
	}
});

it("refuses while it is held, those that waited before too", async () => {
	const keeper = new KeeperQueue();
	const waited = keeper.write(() => "", ORIGIN);
	const refusal = new StoreError("handed over", { held: true });
	await keeper.hold(refusal);
	expect(keeper.isHeld).toBe(true);
	keeper.use(queueOf("first"));
	await expect(waited).rejects.toBe(refusal);
	await expect(keeper.write(() => "", ORIGIN)).rejects.toBe(refusal);
	keeper.release();
	expect(await keeper.write(() => "", ORIGIN)).toBe("first");
});
