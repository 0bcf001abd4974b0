/** The servers of the tests can be killed, paused and started again, and keep what they have unless it is wiped. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refuses } from "../e2e/harness.ts";
import { type Engines, NEW_PROGRAM, PROGRAMS, startEngine, startThree } from "./engine.ts";

describe.skipIf(PROGRAMS[0] === undefined)("one server", () => {
	let engines: Engines;
	beforeAll(async () => {
		if (PROGRAMS[0] !== undefined) engines = await startEngine(PROGRAMS[0]);
	});
	afterAll(() => engines?.close());

	it("is killed and comes back at its address", async () => {
		const { first } = engines;
		await first.kill();
		expect(await refuses(first.port)).toBe(true);
		await first.start();
		expect(await refuses(first.port)).toBe(false);
	});

	it("has JetStream in its own folder", async () => {
		const { first } = engines;
		const said = (await (await fetch(`${first.monitor}/jsz`)).json()) as {
			config: { store_dir: string };
		};
		expect(said.config.store_dir).toContain(first.folder);
	});
});

describe.skipIf(NEW_PROGRAM === undefined)("three servers", () => {
	let engines: Engines;
	beforeAll(async () => {
		if (NEW_PROGRAM !== undefined) engines = await startThree(NEW_PROGRAM);
	});
	afterAll(() => engines?.close());

	it("are a cluster", () => {
		expect(new Set(engines.urls).size).toBe(3);
	});
});
