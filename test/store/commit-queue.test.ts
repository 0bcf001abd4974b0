/** Writes of one turn share a commit, in order; one that fails takes no other along. */
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { CommitQueue } from "../../src/store/commit-queue.ts";
import { Database } from "../../src/store/lmdb/database.ts";
import { openStore } from "../../src/store/open.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { policyOf } from "./documents.ts";
import { everyPolicy } from "./every-policy.ts";
import { temporaryFolder } from "./folder.ts";

/** A queue over a real database, and how many commits it took. */
function countedQueue() {
	const database = Database.open(temporaryFolder(), { readOnly: false });
	onTestFinished(() => database.close());
	let commits = 0;
	const counted = Object.create(database, {
		commit: {
			value: (work: Parameters<Database["commit"]>[0]) => {
				commits += 1;
				return database.commit(work);
			},
		},
	}) as Database;
	return { database, queue: new CommitQueue(counted), commits: () => commits };
}

describe("commit queue", () => {
	it("gives all writes of one turn one commit, in their order", async () => {
		const { database, queue, commits } = countedQueue();
		const seen = await Promise.all(
			Array.from({ length: 200 }, (_, index) =>
				queue.write((writes) => {
					const before = writes.get("k");
					writes.put("k", String(index));
					return before;
				}),
			),
		);
		expect(commits()).toBe(1);
		expect(seen).toEqual([undefined, ...Array.from({ length: 199 }, (_, index) => String(index))]);
		expect(database.get("k")).toBe("199");
	});

	it("bounds what one commit holds", async () => {
		const { queue, commits } = countedQueue();
		const count = LIMITS.writesPerCommit * 2 + 1;
		await Promise.all(
			Array.from({ length: count }, (_, index) =>
				queue.write((writes) => writes.put(`k${index}`, "")),
			),
		);
		expect(commits()).toBe(3);
	});

	it("is idle only when nothing waits", async () => {
		const { database, queue } = countedQueue();
		for (let index = 0; index < 600; index++)
			void queue.write((writes) => writes.put(`k${index}`, ""));
		await queue.idle();
		expect(database.count({ start: "k", end: "l" })).toBe(600);
	});

	it("keeps nothing of a write that throws", async () => {
		const { database, queue } = countedQueue();
		const results = await Promise.allSettled([
			queue.write((writes) => writes.put("a", "1")),
			queue.write((writes) => {
				writes.put("b", "2");
				throw new Error("no");
			}),
			queue.write((writes) => writes.put("c", "3")),
		]);
		expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
		expect(["a", "b", "c"].map((key) => database.get(key))).toEqual(["1", undefined, "3"]);
	});

	it("lets only the write that fails fail, not those that share its commit", async () => {
		const store = openStore(temporaryFolder());
		onTestFinished(() => store.close());
		const results = await Promise.allSettled([
			store.putPolicy("e", "one", policyOf("1"), {}),
			store.putPolicy("e".repeat(5000), "too-long-for-a-key", policyOf("2"), {}),
			store.putPolicy("e", "three", policyOf("3"), {}),
		]);
		expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
		expect([...everyPolicy(store)].map(({ routeId }) => routeId)).toEqual(["one", "three"]);
	});
});

describe("held", () => {
	it("writes what waits, refuses what comes, and goes on when it is told to", async () => {
		const { database, queue } = countedQueue();
		const before = queue.write((writes) => writes.put("before", "1"));
		const refusal = new StoreError("in a moment", { held: true });
		await queue.hold(refusal);
		await before;
		expect(database.get("before")).toBe("1");
		await expect(queue.write((writes) => writes.put("k", "2"))).rejects.toBe(refusal);
		await queue.idle();
		expect(database.get("k")).toBeUndefined();
		queue.release();
		await queue.write((writes) => writes.put("k", "3"));
		expect(database.get("k")).toBe("3");
	});
});
