/** That a lost store is said once, is not ready, and still measured. */
import { afterEach, expect, it, vi } from "vitest";
import { LIMITS } from "../../src/limits.ts";
import { StoreWatch } from "../../src/process/store-watch.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { recordedLog } from "./recorded-log.ts";

afterEach(() => void vi.useRealTimers());

function watched() {
	vi.useFakeTimers();
	const { log, lines } = recordedLog();
	const counts = { edges: 1, routes: 2, policies: 3 };
	const store = {
		loss: undefined as string | undefined,
		isReadable: true,
		counts() {
			if (!store.isReadable) throw new StoreError("lost", { lost: true });
			return counts;
		},
	};
	return { store, lines, watch: new StoreWatch(store, log) };
}

it("looks at intervals and says once what it finds", () => {
	const { store, lines, watch } = watched();
	vi.advanceTimersByTime(10 * LIMITS.storeLookMs);
	expect(lines).toEqual([]);
	expect(watch.loss).toBeUndefined();
	store.loss = "the store in /srv/weir is lost: data.mdb was removed.";
	vi.advanceTimersByTime(LIMITS.storeLookMs);
	expect(lines).toEqual([
		{ level: "error", fields: { reason: store.loss }, message: "the store is lost" },
	]);
	vi.advanceTimersByTime(10 * LIMITS.storeLookMs);
	expect(watch.loss).toMatch(/must be started again/);
	expect(watch.loss).not.toContain("/srv");
	expect(lines).toHaveLength(1);
});

it("measures, without the counts where they can't be read", () => {
	const { store, watch } = watched();
	const counts = { weir_edges: 1, weir_routes: 2, weir_policies: 3 };
	expect(watch.metrics()).toEqual({ weir_store_lost: 0, ...counts });
	store.loss = "gone";
	expect(watch.metrics()).toEqual({ weir_store_lost: 1, ...counts });
	store.isReadable = false;
	expect(watch.metrics()).toEqual({ weir_store_lost: 1 });
});

it("looks no more when it is closed", () => {
	const { store, lines, watch } = watched();
	watch.close();
	store.loss = "gone";
	vi.advanceTimersByTime(10 * LIMITS.storeLookMs);
	expect(lines).toEqual([]);
});
