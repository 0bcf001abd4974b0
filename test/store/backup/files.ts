/** Backups in files, and stores to make them of; used by the tests of this folder. */
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { BackupFile } from "../../../src/store/backup/read-backup.ts";
import { backUpStore } from "../../../src/store/backup/write-backup.ts";
import { openStore } from "../../../src/store/open.ts";
import { edgeOf, policyOf, routeOf } from "../documents.ts";
import { temporaryFolder } from "../folder.ts";

export const ABOUT = { weir: "0.0.0", created: "2026-01-31T12:00:00.000Z" };

export const KEY = {
	id: "key_1",
	name: "täglich\t\n",
	role: "admin",
	hash: "ab".repeat(32),
	createdAt: "2026-01-01T00:00:00.000Z",
} as const;

/** Edge `e`, `count` routes with policies, a policy without a route, a key. @returns its folder */
export async function storeWith(count: number): Promise<string> {
	const folder = temporaryFolder();
	const store = openStore(folder);
	await store.putEdge("e", edgeOf("example.com", "*.example.com:8443"), {});
	const puts: Promise<unknown>[] = [];
	for (let index = 0; index < count; index++) {
		puts.push(store.putRoute("e", `r${index}`, routeOf(`/${index}/`), {}));
		puts.push(store.putPolicy("e", `r${index}`, policyOf(`ünïcode\n\t\u2028 ${index} \ud83d`), {}));
	}
	await Promise.all(puts);
	await store.putPolicy("e", "unattached", policyOf("x".repeat(300_000)), {});
	await store.addKey(KEY);
	store.noteKeyUse(KEY.id, Date.parse("2026-01-02T03:04:00.000Z"));
	await store.close();
	return folder;
}

export async function backupOf(folder: string): Promise<string> {
	const pieces: Buffer[] = [];
	await backUpStore(folder, {
		about: ABOUT,
		write: (bytes) => pieces.push(bytes),
		progress: () => {},
	});
	return Buffer.concat(pieces).toString();
}

export function fileOf(content: string | Buffer): BackupFile {
	const path = join(temporaryFolder(), "file");
	writeFileSync(path, content);
	const descriptor = openSync(path, "r");
	onTestFinished(() => closeSync(descriptor));
	return { name: "FILE", descriptor };
}
