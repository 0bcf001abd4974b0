/** The fleet on the live page, in a real browser before a real API: machines at a glance, what is wrong first, clean by axe. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import type { MemberState } from "../../src/fleet/log/log.ts";
import { status } from "../fleet/fake-seen.ts";
import { startApi } from "../management/api.ts";
import { FakeFleet } from "../management/fleet/fake-fleet.ts";
import { axeFindings, hasChromium, launch, logIn, open, overflow, says, visit } from "./browser.ts";

const ui = { folder: join(import.meta.dirname, "../../dist/ui"), isOn: () => true };

const machine = (name: string, revision: number, ageMs = 900, state: MemberState = "in_sync") => ({
	status: status(name, {
		...{ revision, state, version: "1.4.2", since: new Date(Date.now() - 7.5e6).toISOString() },
		labels: { region: name.slice(0, 3) },
	}),
	ageMs,
});

async function browserOf(): Promise<Browser> {
	const browser = await launch();
	onTestFinished(() => browser.close());
	return browser;
}

it.skipIf(!hasChromium)("shows each machine's revision and lag at a glance", async () => {
	const fleet = new FakeFleet();
	fleet.revision = 1234;
	fleet.own = {
		tail: 1236,
		lost: { records: 2, unverified: 0, files: ["data/fleet-lost-20261122T080000000Z.jsonl"] },
	};
	fleet.seen = [
		machine("ams-1", 1234),
		machine("ams-2", 1236, 4200),
		machine("fra-1", 1180, 65_000),
		machine("sin-1", 1200, 3000, "stuck"),
		machine("zrh-1", 1236),
	];
	const api = await startApi({ fleet, ui });
	const { page, complaints } = await visit(await browserOf());
	await logIn(page, `http://127.0.0.1:${api.port}`, api.key);
	await open(page, "Fleet");
	await says(page.locator("h1"), /^Fleet prod$/);
	await says(page.locator(".facts-line"), /revision 1,234, 2 records behind.*nats-1:4222/);
	await says(page.locator(".states"), /1 stuck1 cut off3 in sync/);
	const names = async () => (await page.locator("tbody th").allTextContents()).join(" ");
	expect(await names()).toMatch(/^sin-1.* fra-1.* ams-1.*this machine.* ams-2.* zrh-1/);
	await says(page.locator("tbody tr").first(), /sin-1.*stuck.*for 2 h 5 min.*1,200.*36/);
	if (process.env.SCREENSHOT !== undefined) await page.screenshot({ path: process.env.SCREENSHOT });
	await says(page.locator(".fleet-message"), /2 changes.*fleet-lost-20261122/);
	const findings = await axeFindings(page);
	await page.emulateMedia({ colorScheme: "dark" });
	expect([...findings, ...(await axeFindings(page, "color-contrast"))]).toEqual([]);
	await page.getByRole("button", { name: "1 cut off" }).click();
	await expect.poll(names).toMatch(/^fra-1[^ ]*(?: [a-z]+)*$/);
	await page.setViewportSize({ width: 360, height: 740 });
	expect(await overflow(page)).toBe(0);
	expect(complaints).toEqual([]);
	fleet.own = {
		state: "cut_off",
		connection: { isUp: false, why: "nats-1:4222 refuses the connection.", since: "08:01:12" },
	};
	fleet.isDown = true;
	await says(
		page.locator(".notice"),
		/cut off from the fleet since 08:01:12.*refuses the connection/,
	);
});

it.skipIf(!hasChromium)("is no page of a machine that is in none", async () => {
	const api = await startApi({ ui });
	const { page } = await visit(await browserOf());
	await logIn(page, `http://127.0.0.1:${api.port}`, api.key);
	expect(await page.getByRole("link", { name: "Fleet", exact: true }).count()).toBe(0);
	await page.goto(`http://127.0.0.1:${api.port}/ui/#/fleet`);
	await says(page.locator(".empty"), /This machine is in no fleet/);
});
