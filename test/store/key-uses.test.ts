/** Last uses of keys: to the minute, many in one commit, kept over restarts, none of a key that is gone. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { KeyUses } from "../../src/store/key-uses.ts";
import { Database } from "../../src/store/lmdb/database.ts";
import { openKeyStore, openStore } from "../../src/store/open.ts";
import type { StoredKey } from "../../src/store/store.ts";
import { temporaryFolder } from "./folder.ts";

const NOON = Date.parse("2026-06-01T12:00:00.000Z");

const key = (id: string): StoredKey => ({
	...{ id, name: "", role: "admin", hash: "0".repeat(64), createdAt: "2026-01-01" },
});

const usesIn = (keys: readonly StoredKey[]) =>
	Object.fromEntries(keys.map(({ id, lastUsedAt }) => [id, lastUsedAt]));

function fakeTimers(): void {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	onTestFinished(() => void vi.useRealTimers());
}

describe("in a store", () => {
	it("is seen at once, and by the next process", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		for (const id of ["a", "b"]) await store.addKey(key(id));
		store.noteKeyUse("a", NOON + 59_999);
		const expected = { a: "2026-06-01T12:00:00.000Z", b: undefined };
		expect(usesIn(store.keys())).toEqual(expected);
		await store.close();

		const beside = openKeyStore(folder);
		expect(usesIn(beside.keys())).toEqual(expected);
		await beside.close();
		const next = openStore(folder);
		expect(usesIn(next.keys())).toEqual(expected);
		next.noteKeyUse("a", NOON + 60_000);
		expect(usesIn(next.keys())).toEqual({ ...expected, a: "2026-06-01T12:01:00.000Z" });
		await next.close();
	});

	it("goes with its key", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		await store.addKey(key("a"));
		store.noteKeyUse("a", NOON);
		await store.close();
		const next = openStore(folder);
		next.noteKeyUse("a", NOON + 60_000);
		await next.revokeKey("a");
		await next.close();
		const last = openStore(folder);
		onTestFinished(() => last.close());
		await last.addKey(key("a"));
		expect(usesIn(last.keys())).toEqual({ a: undefined });
	});

	it("a thousand uses of three keys are one commit, after a minute", async () => {
		const store = openStore(temporaryFolder());
		onTestFinished(() => store.close());
		for (const id of ["a", "b", "c"]) await store.addKey(key(id));
		fakeTimers();
		const commit = vi.spyOn(Database.prototype, "commit");
		onTestFinished(() => commit.mockRestore());
		for (let use = 0; use < 1000; use++) store.noteKeyUse("abc".charAt(use % 3), NOON + use);
		await vi.advanceTimersByTimeAsync(LIMITS.keyUseMs - 1);
		expect(commit).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(1);
		await vi.waitFor(() => expect(commit).toHaveBeenCalledOnce());
	});
});

describe("noted uses", () => {
	it("only go forward", () => {
		const uses = new KeyUses(async () => {});
		uses.note("a", NOON);
		uses.note("a", NOON - 3_600_000);
		expect(uses.of("a")).toBe("2026-06-01T12:00:00.000Z");
		expect(uses.of("b")).toBeUndefined();
		return uses.close();
	});

	it("are written again a minute after a commit that failed", async () => {
		fakeTimers();
		const outcomes = [new Error("disk full"), undefined];
		const commits: number[] = [];
		const uses = new KeyUses(async () => {
			commits.push(outcomes.length);
			const outcome = outcomes.shift();
			if (outcome !== undefined) throw outcome;
		});
		uses.note("a", NOON);
		await vi.advanceTimersByTimeAsync(LIMITS.keyUseMs);
		expect(commits).toEqual([2]);
		await vi.advanceTimersByTimeAsync(LIMITS.keyUseMs);
		expect(commits).toEqual([2, 1]);
		await vi.advanceTimersByTimeAsync(10 * LIMITS.keyUseMs);
		expect(commits).toEqual([2, 1]);
	});

	it("a last commit that fails keeps nobody from closing", async () => {
		const uses = new KeyUses(() => Promise.reject(new Error("lost")));
		uses.note("a", NOON);
		await uses.close();
	});
});
