/** A store's folder that is gone when the test is; used by every test of this room and of management/. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { policyOf } from "./documents.ts";

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "weir-store-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** A folder with a closed store of 200 small policies and a large one. */
export async function filledFolder(): Promise<string> {
	const folder = temporaryFolder();
	const store = openStore(folder);
	for (let index = 0; index < 200; index++) {
		await store.putPolicy("e", `r${index}`, policyOf("x".repeat(300)), {});
	}
	await store.putPolicy("e", "large", policyOf("x".repeat(20_000)), {});
	await store.close();
	return folder;
}
