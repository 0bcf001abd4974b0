/** Somebody asks for an upgrade and waits, with real processes in the new version's place. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { AskedUpgrade } from "../../../src/process/handover/asked-upgrade.ts";
import { temporaryFolder } from "../../store/folder.ts";

function asked(words: readonly string[] = ["serve"]) {
	const reasons: string[] = [];
	const upgrade: AskedUpgrade = new AskedUpgrade(words, (reason) => {
		reasons.push(reason);
		upgrade.failed(reason);
	});
	onTestFinished(() => upgrade.kill());
	return { upgrade, reasons };
}

function program(text: string) {
	const main = join(temporaryFolder(), "main.cjs");
	writeFileSync(main, text);
	return { node: process.execPath, main };
}

const SLEEPS = "setInterval(() => {}, 1000)";

it("the demo can't be upgraded", () => {
	expect(asked(["serve", "--demo"]).upgrade.obstacle).toContain("the demo can't be upgraded");
	expect(asked().upgrade.obstacle).toBeUndefined();
});

it("is answered with what has taken over; only that process is expected meanwhile", async () => {
	const { upgrade, reasons } = asked();
	expect(upgrade.expects(1)).toBe(true);
	const taken = upgrade.start({ node: "/bin/true", main: "main.js" });
	expect(upgrade.expects(1)).toBe(false);
	expect(upgrade.expects(undefined)).toBe(false);
	upgrade.succeeded({ pid: 4711, version: "2.0.0" });
	expect(await taken).toEqual({ pid: 4711, version: "2.0.0" });
	expect(upgrade.expects(1)).toBe(true);
	expect(reasons).toEqual([]);
});

it("is refused with the reason of one that ends", async () => {
	const { upgrade, reasons } = asked();
	await expect(
		upgrade.start(program('require("fs").writeSync(3, "a mistake\\n")')),
	).rejects.toThrow("a mistake");
	expect(reasons).toEqual(["a mistake"]);
	const killed = upgrade.start(program(SLEEPS));
	expect(await upgrade.endOf(1, "who knows", 0)).toBe("who knows");
	upgrade.kill();
	await expect(killed).rejects.toThrow("it ended by SIGKILL");
});
