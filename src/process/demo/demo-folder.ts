/**
 * The data folder of a demo for which nobody has named one. It is temporary, so that the demo leaves nothing behind in
 * which another demo, or a weir with real routes, would find the demo's edge. Used by `serve.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class DemoFolder {
	/** for weir's own user alone */
	readonly path = mkdtempSync(join(tmpdir(), "weir-demo-"));

	/** Once the store is closed, or when the process is about to be killed. */
	remove(): void {
		rmSync(this.path, { recursive: true, force: true });
	}
}
