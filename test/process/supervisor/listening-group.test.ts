import { connect } from "node:net";
import { constants } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addon } from "../../../src/native-addon.ts";
import { claimAddress } from "../../../src/process/config/address.ts";
import { ListeningGroup } from "../../../src/process/supervisor/listening-group.ts";

const groups: ListeningGroup[] = [];
afterEach(() => {
	vi.restoreAllMocks();
	for (const group of groups.splice(0)) group.close();
});
async function groupOf(count: number): Promise<{ group: ListeningGroup; port: number }> {
	const { port } = await claimAddress({ host: "127.0.0.1", port: 0 });
	const group = new ListeningGroup("127.0.0.1", port);
	groups.push(group);
	expect(group.grow(count)).toBeUndefined();
	return { group, port };
}

it("shares sockets out among workers, all of them and evenly", async () => {
	const { group } = await groupOf(5);
	expect([0, 1].map((worker) => group.numbersOf(worker, 2))).toEqual([
		[0, 2, 4],
		[1, 3],
	]);
	expect(group.numbersOf(3, 5)).toEqual([3]);
	expect(() => group.descriptorOf(5)).toThrow("no such listening socket");
});

it("tells why it can't bind", () => {
	expect(new ListeningGroup("no address", 80).grow(1)).toBe("EINVAL");
	expect(new ListeningGroup("192.0.2.1", 80).grow(1)).toMatch(/^E[A-Z]+$/);
});

/** A system that is asked to lead connections. @returns what it was asked, and can */
function leadingSystem(can: (places: Uint8Array) => boolean): string[] {
	const asked: string[] = [];
	vi.spyOn(addon, "steerConnections").mockImplementation((_socket, places) => {
		asked.push(places.join());
		return can(places) ? 0 : constants.errno.ENOPROTOOPT;
	});
	return asked;
}

describe.runIf(process.platform === "linux")("on Linux", () => {
	it("where a lead can't be taken back, all are led to by name, newer ones too", async () => {
		const { group } = await groupOf(3);
		const asked = leadingSystem((places) => places.length > 0);
		for (const number of [0, 1]) group.listen(number);
		group.lead(() => true);
		group.lead((number) => number === 1);
		group.lead(() => true);
		group.lead(() => true);
		group.listen(2);
		group.lead(() => true);
		group.lead(() => false);
		group.lead((number) => number === 0);
		expect(asked).toEqual(["1", "", "0,1", "0,1,2", "0"]);
	});

	it("where connections can't be led, it is not tried again", async () => {
		const { group } = await groupOf(2);
		const asked = leadingSystem(() => false);
		for (const number of [0, 1]) group.listen(number);
		group.lead((number) => number === 1);
		group.lead(() => true);
		group.lead((number) => number === 0);
		expect(asked).toEqual(["1"]);
	});

	it("after a socket that listened is closed connections go as the kernel wants", async () => {
		const { group, port } = await groupOf(3);
		for (const number of [0, 1, 2]) expect(group.listen(number)).toBeUndefined();
		expect(group.listen(2)).toBeUndefined();
		group.lead((number) => number === 2);
		group.shrink(2);
		expect(group.size).toBe(2);
		group.lead((number) => number === 0);
		for (let client = 0; client < 10; client++) {
			await new Promise<void>((resolve, reject) => {
				const socket = connect(port, "127.0.0.1", () => {
					socket.destroy();
					resolve();
				}).on("error", reject);
			});
		}
	});
});
