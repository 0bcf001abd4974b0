/** Reloads under new connections (contract 1, `SIGHUP`): none is reset or refused; a short run of `scripts/reloads.mjs`. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "..", "..", "scripts", "reloads.mjs");

it("no connection is lost while workers are replaced again and again", async () => {
	const words = [SCRIPT, "--reloads", "5", "--rate", "200", "--json"];
	const { stdout } = await promisify(execFile)(process.execPath, words);
	const { connections, answered, reset, refused } = JSON.parse(stdout);
	expect({ answered, reset, refused }).toEqual({ answered: connections, reset: 0, refused: 0 });
	expect(connections).toBeGreaterThan(100);
}, 120_000);
