/** One supervisor per store; one that was killed is forgotten, and that of a copied folder is not taken for its own. */
import { once } from "node:events";
import { cpSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore, ownerOf } from "../../src/store/open.ts";
import { startChild } from "./children.ts";
import { edgeOf } from "./documents.ts";
import { temporaryFolder } from "./folder.ts";

describe("ownership", () => {
	it("refuses a second supervisor, and forgets one that was killed", async () => {
		const folder = temporaryFolder();
		const { child, lines } = startChild("hold", folder);
		expect((await lines.next()).value).toBe("open");
		expect(() => openStore(folder)).toThrow(
			new RegExp(`in use by another weir \\(process ${child.pid}\\)`),
		);
		child.kill("SIGKILL");
		await once(child, "exit");
		const store = openStore(folder);
		expect(() => openStore(folder)).toThrow(/in use by another weir/);
		await store.close();
		await openStore(folder).close();
	});

	it("of a copy is nobody's, beside the original that is open", async () => {
		const folder = temporaryFolder();
		const copy = join(temporaryFolder(), "copy");
		const store = openStore(folder);
		await store.putEdge("e", edgeOf("a.example"), {});
		cpSync(folder, copy, { recursive: true });
		expect(await ownerOf(folder)).toBe(process.pid);
		expect(await ownerOf(copy)).toBeUndefined();
		const other = openStore(copy);
		expect(other.counts().edges).toBe(1);
		expect(await ownerOf(copy)).toBe(process.pid);
		await Promise.all([store.close(), other.close()]);
	});

	it("is the same by every way to one file", async () => {
		const folder = temporaryFolder();
		const { child, lines } = startChild("hold", folder);
		expect((await lines.next()).value).toBe("open");
		const symbolic = join(temporaryFolder(), "symbolic");
		symlinkSync(folder, symbolic);
		const hard = join(temporaryFolder(), "hard");
		mkdirSync(hard);
		linkSync(join(folder, "data.mdb"), join(hard, "data.mdb"));
		for (const way of [symbolic, hard]) {
			expect(() => openStore(way)).toThrow(`in use by another weir (process ${child.pid})`);
			expect(await ownerOf(way)).toBe(child.pid);
		}
	});

	it("is handed over with all that was written, and taken back only from nobody", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		store.noteKeyUse("key_a", Date.now());
		const written = store.putEdge("e", edgeOf("a.example"), {});
		await store.handOver();
		await written;
		await expect(store.putEdge("f", edgeOf("b.example"), {})).rejects.toThrow("is being upgraded");
		expect(await ownerOf(folder)).toBeUndefined();
		const { child, lines } = startChild("hold", folder);
		expect((await lines.next()).value).toBe("open");
		expect(() => store.takeBack()).toThrow(`in use by another weir (process ${child.pid})`);
		await expect(store.putEdge("f", edgeOf("b.example"), {})).rejects.toThrow("is being upgraded");
		child.kill("SIGKILL");
		await once(child, "exit");
		store.takeBack();
		await store.putEdge("f", edgeOf("b.example"), {});
		expect(await ownerOf(folder)).toBe(process.pid);
		await store.close();
		expect(await ownerOf(folder)).toBeUndefined();
	});

	it("that could not be given up is still its own", async () => {
		const store = openStore(temporaryFolder());
		await store.hold();
		store.takeBack();
		await store.putEdge("e", edgeOf("a.example"), {});
		await store.close();
	});

	it("of another one is not given up by who has handed it over", async () => {
		const folder = temporaryFolder();
		const store = openStore(folder);
		await store.handOver();
		const { child, lines } = startChild("hold", folder);
		expect((await lines.next()).value).toBe("open");
		await store.close();
		expect(await ownerOf(folder)).toBe(child.pid);
	});
});
