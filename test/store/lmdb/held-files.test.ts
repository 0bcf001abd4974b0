/** What counts as lost, for writes and for reads, and that it stays so. */
import { execFileSync } from "node:child_process";
import {
	appendFileSync,
	copyFileSync,
	mkdirSync,
	renameSync,
	rmSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openReader, openStore, StoreError } from "../../../src/store/open.ts";
import type { Store } from "../../../src/store/store.ts";
import { edgeOf } from "../documents.ts";
import { temporaryFolder } from "../folder.ts";

async function openFilled(): Promise<{ readonly folder: string; readonly store: Store }> {
	const folder = join(temporaryFolder(), "data");
	const store = openStore(folder);
	onTestFinished(() => store.close());
	await store.putEdge("before", edgeOf("before.example"), {});
	return { folder, store };
}

const lost = expect.objectContaining({ name: "StoreError", lost: true });

async function expectNoWrites(store: Store): Promise<void> {
	await expect(store.putEdge("after", edgeOf("after.example"), {})).rejects.toEqual(lost);
	await expect(store.revokeKey("key_x")).rejects.toEqual(lost);
	expect(() => store.assertKept()).toThrow(StoreError);
	expect(store.loss).toMatch(/^the store in .* is lost: .*start weir again$/);
}

it.runIf(process.platform === "linux")(
	"processes that are started have none of its descriptors",
	async () => {
		const { folder } = await openFilled();
		const listed = execFileSync("ls", ["-l", "/proc/self/fd"], { encoding: "utf8" });
		expect(listed).toContain("/proc/");
		expect(listed).not.toContain(folder);
	},
);

describe("files that are gone", () => {
	it.each<[string, (folder: string) => void, RegExp]>([
		[
			"the folder removed",
			(folder) => rmSync(folder, { recursive: true }),
			/data\.mdb was removed/,
		],
		[
			"the folder renamed",
			(folder) => renameSync(folder, `${folder}.old`),
			/data\.mdb was removed/,
		],
		[
			"the data file removed",
			(folder) => rmSync(join(folder, "data.mdb")),
			/data\.mdb was removed/,
		],
		[
			"the lock file removed",
			(folder) => rmSync(join(folder, "lock.mdb")),
			/lock\.mdb was removed/,
		],
		[
			"another folder in its place",
			(folder) => {
				renameSync(folder, `${folder}.old`);
				mkdirSync(folder);
				for (const name of ["data.mdb", "lock.mdb"])
					copyFileSync(join(`${folder}.old`, name), join(folder, name));
			},
			/data\.mdb was replaced/,
		],
		[
			"a file in the folder's place",
			(folder) => {
				rmSync(folder, { recursive: true });
				writeFileSync(folder, "");
			},
			/data\.mdb was removed/,
		],
	])("%s: nothing is written, what is open is read on", async (_name, damage, reason) => {
		const { folder, store } = await openFilled();
		expect(store.loss).toBeUndefined();
		damage(folder);
		await expectNoWrites(store);
		expect(store.loss).toMatch(reason);
		store.refresh();
		expect(store.edge("before")?.document).toEqual(edgeOf("before.example"));
		expect(store.edge("after")).toBeUndefined();
		expect(store.counts().edges).toBe(1);
	});

	it("stay gone when they are back", async () => {
		const { folder, store } = await openFilled();
		renameSync(folder, `${folder}.old`);
		expect(store.loss).toBeDefined();
		renameSync(`${folder}.old`, folder);
		await expectNoWrites(store);
	});

	it("a write whose transaction they go away under is not acknowledged", async () => {
		const { folder, store } = await openFilled();
		const first = store.putEdge("one", edgeOf("one.example"), {});
		const document = edgeOf("two.example");
		// written out within the transaction, before its commit
		Object.defineProperty(document, "description", {
			enumerable: true,
			get() {
				rmSync(folder, { recursive: true, force: true });
				return "";
			},
		});
		const second = store.putEdge("two", document, {});
		await expect(first).rejects.toEqual(lost);
		await expect(second).rejects.toEqual(lost);
	});
});

describe("files that were cut short", () => {
	it.each<[string, string, number]>([
		["data.mdb to nothing", "data.mdb", 0],
		["data.mdb to its meta pages", "data.mdb", 8192],
		["lock.mdb to nothing", "lock.mdb", 0],
	])("%s: nothing is written or read, and closing is quiet", async (_name, file, bytes) => {
		const { folder, store } = await openFilled();
		truncateSync(join(folder, file), bytes);
		expect(() => store.edge("before")).toThrow(lost);
		expect(() => store.counts()).toThrow(lost);
		expect(() => [...store.routes()]).toThrow(lost);
		store.refresh();
		await expectNoWrites(store);
		expect(store.loss).toMatch(new RegExp(`${file} was cut from`));
		await store.close();
	});

	it("a file that was emptied and written again has no meta pages any more", async () => {
		const { folder, store } = await openFilled();
		truncateSync(join(folder, "data.mdb"), 0);
		appendFileSync(join(folder, "data.mdb"), Buffer.alloc(1_000_000));
		await expectNoWrites(store);
		expect(store.loss).toMatch(/data\.mdb was overwritten/);
	});
});

it("a reader reads the store that it is told to, not the one in its place", async () => {
	const { folder, store } = await openFilled();
	await openReader(folder, store.identity).close();
	renameSync(folder, `${folder}.old`);
	const other = openStore(folder);
	onTestFinished(() => other.close());
	expect(other.identity).not.toBe(store.identity);
	expect(() => openReader(folder, store.identity)).toThrow(lost);
});
