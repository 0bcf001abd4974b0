/** One supervisor per store; one that was killed is forgotten. */
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { startChild } from "./children.ts";
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
});
