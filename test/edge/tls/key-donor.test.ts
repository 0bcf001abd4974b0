/** What is learnt of the library's memory, and what is refused. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeKeyDonor, openContext } from "../../../src/edge/tls/key-donor.ts";
import type { us_listen_socket } from "../../../src/http/uws.ts";
import { addon } from "../../../src/native-addon.ts";
import { writeCertificate } from "../../certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "weir-donor-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("finds the places of both keys, and they can be taken once, to an empty place", async () => {
	const files = await writeCertificate(folder, "donor", "donor.test");
	const [one, other] = [await makeKeyDonor(files), await makeKeyDonor(files)];
	expect([one.current, one.previous]).toEqual([other.current, other.previous]);
	expect(one.current).not.toBe(one.previous);
	const take = () => addon.takeTicketKey(one.context, other.context, one.current);
	expect(take()).toBe(false);
	expect(addon.writeTicketKey(one.context, one.current, new Uint8Array(56))).toBe(true);
	const elsewhere = one.current === 0 ? 5 : 0;
	expect(addon.takeTicketKey(one.context, other.context, elsewhere)).toBe(false);
	expect(addon.writeTicketKey(one.context, elsewhere, new Uint8Array(56))).toBe(false);
	for (const donor of [one, other]) donor.close();
});

it("finds the same places each time, whatever lies about in the heap", async () => {
	const files = await writeCertificate(folder, "again", "again.test");
	const places = new Set<string>();
	for (let time = 0; time < 20; time++) {
		const { current, previous, close } = await makeKeyDonor(files);
		places.add(`${current} ${previous}`);
		close();
	}
	expect(places.size).toBe(1);
});

it("refuses what is no context, no listener and no key", () => {
	expect(() => openContext({} as us_listen_socket)).toThrow(/no way to its TLS/);
	expect(() => addon.writeTicketKey(10_000, 0, new Uint8Array(56))).toThrow(TypeError);
	expect(() => addon.findTicketKey(0, 0, new Uint8Array(15), new Uint8Array(56))).toThrow(
		TypeError,
	);
	expect(() => addon.takeTicketKey(0, 0, 0)).toThrow(TypeError);
});
