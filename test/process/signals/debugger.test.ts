/** A debugger that nobody asked for on the command line does not stay; workers are started without its signal. */
import { open, url } from "node:inspector";
import { afterEach, expect, it } from "vitest";
import { closeUnwantedDebugger, withoutDebugger } from "../../../src/process/signals/debugger.ts";

const before = process.env.NODE_OPTIONS;
afterEach(() => {
	if (before === undefined) delete process.env.NODE_OPTIONS;
	else process.env.NODE_OPTIONS = before;
});

it("ends one that was started by a signal", () => {
	closeUnwantedDebugger();
	open(0, "127.0.0.1");
	expect(url()).toBeDefined();
	process.env.NODE_OPTIONS = "--inspect=0";
	closeUnwantedDebugger();
	expect(url()).toBeDefined();
	process.env.NODE_OPTIONS = "";
	closeUnwantedDebugger();
	expect(url()).toBeUndefined();
});

it("keeps a worker's other options, and adds the switch where Node knows it", () => {
	const once = withoutDebugger(["--enable-source-maps"]);
	expect(once[0]).toBe("--enable-source-maps");
	expect(withoutDebugger(once)).toEqual(once);
	expect(once.slice(1)).toEqual(
		process.allowedNodeEnvironmentFlags.has("--disable-sigusr1") ? ["--disable-sigusr1"] : [],
	);
});
