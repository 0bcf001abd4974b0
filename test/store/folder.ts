/** A store's folder that is gone when the test is; used by every test of this room and of management/. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "weir-store-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
