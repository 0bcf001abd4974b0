/** A page of garbage anywhere is found before LMDB trusts it; a sound file is never refused, not even while it is written. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openKeyStore, openStore, StoreError } from "../../../src/store/open.ts";
import { startChild } from "../children.ts";
import { everyPolicy } from "../every-policy.ts";
import { filledFolder, temporaryFolder } from "../folder.ts";

const PAGE_BYTES = 4096;

describe("store check", () => {
	it("refuses a file with a garbage page, unless nothing lies on that page", async () => {
		const folder = await filledFolder();
		const file = join(folder, "data.mdb");
		const sound = readFileSync(file);
		const store = openStore(folder);
		const content = JSON.stringify([...everyPolicy(store)]);
		await store.close();
		const lastPage = sound.length / PAGE_BYTES - 1;
		const page = fc.integer({ min: 2, max: lastPage });
		const garbage = fc.oneof(
			fc.uint8Array({ minLength: PAGE_BYTES, maxLength: PAGE_BYTES }),
			fc.constant(new Uint8Array(PAGE_BYTES)),
			page.map((other) => sound.subarray(other * PAGE_BYTES, (other + 1) * PAGE_BYTES)),
		);
		let refused = 0;
		await fc.assert(
			fc.asyncProperty(page, garbage, async (number, bytes) => {
				const damaged = Buffer.from(sound);
				damaged.set(bytes, number * PAGE_BYTES);
				writeFileSync(file, damaged);
				try {
					const opened = openStore(folder);
					const found = JSON.stringify([...everyPolicy(opened)]);
					await opened.close();
					expect(found).toBe(content);
				} catch (error) {
					if (!(error instanceof StoreError)) throw error;
					refused += 1;
				}
			}),
			{ numRuns: 150 },
		);
		expect(refused).toBeGreaterThan(50);
	}, 60_000);

	it("refuses entries that point outside their page", async () => {
		const folder = await filledFolder();
		const file = join(folder, "data.mdb");
		const bytes = readFileSync(file);
		// pages that are no longer in use may hold the entry too; its length stands 8 bytes before its key
		for (let at = bytes.indexOf("p/e/r7"); at > 0; at = bytes.indexOf("p/e/r7", at + 1)) {
			bytes.writeUInt32LE(0x00ff_ffff, at - 8);
		}
		writeFileSync(file, bytes);
		expect(() => openStore(folder)).toThrow(/outside the file|an entry that is too long/);
	});

	it("is not misled by a writer that goes on meanwhile", async () => {
		const folder = temporaryFolder();
		const { lines } = startChild("storm", folder, "1");
		for (let round = 0; round < 40; round++) {
			expect((await lines.next()).done).toBe(false);
			const keys = openKeyStore(folder);
			expect(keys.keys()).toEqual([]);
			await keys.close();
		}
	}, 60_000);
});
