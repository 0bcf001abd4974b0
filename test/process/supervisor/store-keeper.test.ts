/** That a lost store is said once, is not ready, and still measured. */
import { renameSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS } from "../../../src/limits/limits.ts";
import { StoreKeeper } from "../../../src/process/supervisor/store-keeper.ts";
import { openReader } from "../../../src/store/open.ts";
import { temporaryFolder } from "../../store/folder.ts";
import { recordedLog } from "../recorded-log.ts";

afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllEnvs();
});

function kept() {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	const folder = join(temporaryFolder(), "data");
	vi.stubEnv("TMPDIR", temporaryFolder());
	const { log, lines } = recordedLog();
	const keeper = new StoreKeeper(folder, log);
	onTestFinished(() => keeper.close());
	return { folder, lines, keeper };
}

it("looks at intervals and says once what it finds", async () => {
	const { folder, lines, keeper } = kept();
	vi.advanceTimersByTime(10 * LIMITS.storeLookMs);
	expect(lines).toEqual([]);
	expect(keeper.loss).toBeUndefined();
	renameSync(folder, `${folder}.old`);
	vi.advanceTimersByTime(LIMITS.storeLookMs);
	const reason = expect.stringContaining("data.mdb was removed");
	const said = { level: "error", fields: { reason }, message: "the store is lost" };
	expect(lines).toEqual([said]);
	vi.advanceTimersByTime(10 * LIMITS.storeLookMs);
	expect(keeper.loss).toMatch(/must be started again/);
	expect(keeper.loss).not.toContain(folder);
	expect(lines).toEqual([said]);
	await vi.waitUntil(() => lines.length > 1);
});

it("copies for workers to come what was removed or replaced", async () => {
	const { folder, lines, keeper } = kept();
	await keeper.store.putPolicy("e", "r", { enabled: true, inbound: [], outbound: [] }, {});
	expect(keeper.forWorkers).toEqual({ folder, identity: keeper.store.identity });
	renameSync(folder, `${folder}.old`);
	expect(keeper.loss).toBeDefined();
	await vi.waitUntil(() => lines.length > 1);
	const { forWorkers } = keeper;
	expect(lines[1]).toMatchObject({ level: "warn", fields: { folder: forWorkers.folder } });
	expect(statSync(join(forWorkers.folder, "data.mdb")).mode & 0o777).toBe(0o600);
	const reader = openReader(forWorkers.folder, forWorkers.identity);
	expect(reader.policy("e", "r")).toBeDefined();
	await reader.close();
});

it("says that what was cut short can't be copied", async () => {
	const { folder, lines, keeper } = kept();
	truncateSync(join(folder, "data.mdb"), 4096);
	expect(keeper.loss).toBeDefined();
	await vi.waitUntil(() => lines.length > 1);
	expect(lines[1]).toMatchObject({ level: "error", message: expect.stringContaining("no worker") });
	expect(keeper.forWorkers.folder).toBe(folder);
});

it("measures, without the counts where they can't be read", () => {
	const { folder, keeper } = kept();
	const version = { 'weir_store_version{process="supervisor"}': 0 };
	const counts = { weir_edges: 0, weir_routes: 0, weir_policies: 0, ...version };
	expect(keeper.metrics()).toEqual({ weir_store_lost: 0, ...counts });
	renameSync(folder, `${folder}.old`);
	expect(keeper.metrics()).toEqual({ weir_store_lost: 1, ...counts });
	truncateSync(join(`${folder}.old`, "data.mdb"), 0);
	expect(keeper.metrics()).toEqual({ weir_store_lost: 1 });
});

it("looks no more when it is closed", async () => {
	const { folder, lines, keeper } = kept();
	await keeper.close();
	renameSync(folder, `${folder}.old`);
	vi.advanceTimersByTime(10 * LIMITS.storeLookMs);
	expect(lines).toEqual([]);
});

it("has a control socket while it is open, for nobody else", async () => {
	const { folder, lines, keeper } = kept();
	const socket = join(folder, "control.sock");
	await keeper.listen();
	expect(statSync(socket).mode & 0o777).toBe(0o600);
	await keeper.close();
	expect(statSync(socket, { throwIfNoEntry: false })).toBeUndefined();
	expect(lines).toEqual([]);
});
