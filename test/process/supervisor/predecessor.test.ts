/** What a supervisor that takes over goes on with; a real takeover is test/e2e/upgrades. */
import { expect, it, onTestFinished, vi } from "vitest";
import type { Config } from "../../../src/config.ts";
import { REASON_DESCRIPTOR, REASON_VARIABLE } from "../../../src/process/handover/reason.ts";
import {
	findPredecessor,
	heritageOf,
	publisherOf,
} from "../../../src/process/supervisor/predecessor.ts";
import type { Change } from "../../../src/store/store.ts";
import { temporaryFolder } from "../../store/folder.ts";

it("nobody runs where there is no store", async () => {
	const config = { dataDir: temporaryFolder() } as Config;
	expect(await findPredecessor(config)).toBeUndefined();
});

it("one that was started to take over does not run beside the other, on another data folder", async () => {
	vi.stubEnv(REASON_VARIABLE, String(REASON_DESCRIPTOR));
	onTestFinished(() => void vi.unstubAllEnvs());
	const config = { dataDir: temporaryFolder() } as Config;
	await expect(findPredecessor(config)).rejects.toThrow("an upgrade keeps the data folder");
});

it("sockets of the service manager come without secrets, and none without anything", () => {
	expect(heritageOf(undefined, undefined)).toBeUndefined();
	const given = { groups: [], management: undefined, listen: [] };
	expect(heritageOf(undefined, given)).toEqual({ sockets: [], tickets: undefined });
});

it("a change is in force when the workers of both have it", async () => {
	const changes: readonly Change[] = [{ kind: "edge", edgeId: "e" }];
	const had: string[] = [];
	let release = (): void => {};
	const publisher = publisherOf(
		{ publish: async (all) => void had.push(`own ${all.length}`) },
		{
			publish: (all) => {
				had.push(`before ${all.length}`);
				return new Promise((resolve) => {
					release = resolve;
				});
			},
		},
	);
	let isDone = false;
	const done = publisher.publish(changes).then(() => {
		isDone = true;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(had).toEqual(["own 1", "before 1"]);
	expect(isDone).toBe(false);
	release();
	await done;
	await publisherOf({ publish: async () => {} }, undefined).publish(changes);
});
