/** Ranges, both ways, against a sorted list; transactions that throw leave nothing. */
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { under } from "../../../src/store/layout.ts";
import { Database } from "../../../src/store/lmdb/database.ts";
import { temporaryFolder } from "../folder.ts";

function openDatabase(): Database {
	const database = Database.open(temporaryFolder(), { readOnly: false });
	onTestFinished(() => database.close());
	return database;
}

it("walks ranges as a sorted list would be cut", () => {
	const database = openDatabase();
	const id = fc.stringMatching(/^[A-Za-z0-9_.-]{1,6}$/);
	fc.assert(
		fc.property(
			fc.uniqueArray(id, { maxLength: 30 }),
			id,
			fc.boolean(),
			fc.nat(5),
			(ids, edge, reverse, limit) => {
				database.commit((writes) => {
					for (const { key } of [...writes.range({ start: " ", end: "~" })]) writes.remove(key);
					for (const each of ids) writes.put(`r/${edge}/${each}`, each);
					for (const other of [`r/${edge}-/x`, `r/${edge}0/x`, `r/${edge}`, "q/x", "s/x"])
						writes.put(other, "other");
				});
				const range = { ...under(`r/${edge}/`), reverse, limit: limit + 1 };
				const found = Array.from(database.range(range), ({ value }) => value);
				const sorted = [...ids].sort();
				expect(found).toEqual((reverse ? sorted.reverse() : sorted).slice(0, limit + 1));
				expect(database.count(under(`r/${edge}/`))).toBe(ids.length);
			},
		),
	);
});

it("keeps nothing of a transaction that throws, and passes the error on", () => {
	const database = openDatabase();
	const failure = new Error("mine");
	expect(() =>
		database.commit((writes) => {
			writes.put("a", "1");
			expect(writes.get("a")).toBe("1");
			throw failure;
		}),
	).toThrow(failure);
	expect(database.get("a")).toBeUndefined();
	database.commit((writes) => writes.put("a", "2"));
	expect(database.get("a")).toBe("2");
});
