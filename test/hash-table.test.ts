/** A table agrees with a `Map` after any sets and deletes, also where hashes collide. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { HashTable, hashOf } from "../src/hash-table.ts";

interface Entry {
	readonly text: string;
	readonly step: number;
}

class Texts extends HashTable<string, Entry> {
	readonly #bits: number;

	/** @param bits of the hash that are kept */
	constructor(bits = 30) {
		super();
		this.#bits = 2 ** bits - 1;
	}

	protected hash(text: string): number {
		return hashOf(text) & this.#bits;
	}
	protected isOf(entry: Entry, text: string): boolean {
		return entry.text === text;
	}
}

/** Texts that a table of up to 16 places looks for in the last two of them, behind which it begins anew. */
const CROWDED = Array.from({ length: 1000 }, (_, n) => `/p/${n}`)
	.filter((text) => (hashOf(text) & 15) >= 14)
	.slice(0, 40);
const OTHERS = ["", "/", "/é", "/\u{1f600}", "/a".repeat(600)];

const text = fc.constantFrom(...CROWDED, ...OTHERS);
const command = fc.record({ kind: fc.constantFrom("set", "set", "delete"), text });

it.each([0, 3, 30])("agrees with a Map after any sets and deletes, by %i bits of hash", (bits) => {
	fc.assert(
		fc.property(fc.array(command, { maxLength: 80 }), (commands) => {
			const table = new Texts(bits);
			const model = new Map<string, Entry>();
			for (const [step, { kind, text }] of commands.entries()) {
				if (kind === "set") {
					table.set(text, { text, step });
					model.set(text, { text, step });
				} else {
					table.delete(text);
					model.delete(text);
				}
				for (const known of [text, ...model.keys()])
					expect(table.get(known)).toEqual(model.get(known));
				expect(table.size).toBe(model.size);
			}
			const byStep = (a: Entry, b: Entry): number => a.step - b.step;
			expect([...table.values()].sort(byStep)).toEqual([...model.values()].sort(byStep));
			for (const known of CROWDED) expect(table.get(known)).toEqual(model.get(known));
		}),
		{ numRuns: 100 },
	);
});

it("finds each of very many, and no other, until they are deleted", () => {
	const table = new Texts();
	const nameOf = (n: number): string => `/shop/${n}/cart`;
	for (let step = 0; step < 20_000; step++) table.set(nameOf(step), { text: nameOf(step), step });
	for (let step = 0; step < 20_000; step++) expect(table.get(nameOf(step))?.step).toBe(step);
	expect(table.get(nameOf(20_000))).toBeUndefined();
	for (let step = 1; step < 20_000; step++) table.delete(nameOf(step));
	expect([...table.values()]).toEqual([{ text: nameOf(0), step: 0 }]);
	expect(table.get(nameOf(1))).toBeUndefined();
});

it("hashes to 30 bits, of which the lowest tell numbered texts apart as chance would", () => {
	for (const place of ["/r/", "/api/v1/users/", "/shop/item-"]) {
		const seen = new Set<number>();
		for (let n = 0; n < 1024; n++) {
			const hash = hashOf(`${place}${n}`);
			expect(hash).toBe(hash & 0x3fff_ffff);
			seen.add(hash & 2047);
		}
		// Chance leaves 806 of 2,048 places with something, give or take 12.
		expect(seen.size).toBeGreaterThan(750);
	}
});
