/** What stands in a backup, and what none is made of. */
import { expect, it } from "vitest";
import { assertSound } from "../../../src/store/layout.ts";
import { Database } from "../../../src/store/lmdb/database.ts";
import { openStore } from "../../../src/store/open.ts";
import { temporaryFolder } from "../folder.ts";
import { backupOf, KEY, storeWith } from "./files.ts";

it("has every document as it is stored, in order, and not the owner", async () => {
	const folder = await storeWith(3);
	const store = openStore(folder);
	const text = await backupOf(folder);
	await store.close();
	const lines = text.split("\n").slice(1, -2);
	const keys = lines.map((line) => line.slice(0, line.indexOf("\t")));
	expect(keys).toEqual([...keys].sort());
	expect(keys.filter((key) => key.startsWith("!"))).toEqual(["!keys", "!version"]);
	expect(keys.filter((key) => /^[erpk]/.test(key))).toEqual(
		["e/e", "k/key_1", "p/e/r0", "p/e/r1", "p/e/r2", "p/e/unattached"].concat([
			"r/e/r0",
			"r/e/r1",
			"r/e/r2",
		]),
	);
	for (const [index, line] of lines.entries()) {
		const key = keys[index] ?? "";
		if (/^[erpk]/.test(key)) assertSound(line.slice(key.length + 1), key);
	}
	expect(text).toContain(JSON.stringify(KEY.name));
	expect(text).toContain("\nu/key_1\t2026-01-02T03:04");
});

it("is not made of a store that is damaged, or is none", async () => {
	const folder = await storeWith(1);
	const database = Database.open(folder, { readOnly: false });
	database.commit((writes) => writes.put("p/e/r0", `${"x".repeat(22)}{}`));
	await database.close();
	await expect(backupOf(folder)).rejects.toThrow("the content of p/e/r0 does not fit");
	await expect(backupOf(temporaryFolder())).rejects.toThrow("no store in");
});
