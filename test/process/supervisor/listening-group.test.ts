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

	const dial = (port: number): Promise<void> =>
		new Promise<void>((resolve, reject) => {
			const socket = connect(port, "127.0.0.1", () => {
				socket.destroy();
				resolve();
			}).on("error", reject);
		});

	it("after a socket that listened is closed connections are led to those that are left", async () => {
		const { group, port } = await groupOf(3);
		for (const number of [0, 1, 2]) expect(group.listen(number)).toBeUndefined();
		expect(group.listen(2)).toBeUndefined();
		group.lead((number) => number === 2);
		group.shrink(2);
		expect(group.size).toBe(2);
		group.lead((number) => number === 0);
		for (let client = 0; client < 10; client++) await dial(port);
	});

	it("of a reload that has failed all that stay are led to by name, until its processes are gone", async () => {
		const { group } = await groupOf(4);
		const asked = leadingSystem(() => true);
		for (const number of [0, 1, 2, 3]) group.listen(number);
		let end = (): void => {};
		const gone = new Promise<void>((resolve) => {
			end = resolve;
		});
		group.shrink(2, gone);
		group.lead(() => true);
		group.lead((number) => number === 1);
		group.lead(() => true);
		expect(group.given.canLead).toBe(false);
		end();
		await gone;
		group.lead(() => true);
		group.lead((number) => number === 0);
		expect(asked).toEqual(["0,1", "1", "0,1", "", "0"]);
		// More workers, and they are led to as any others.
		expect(group.grow(3)).toBeUndefined();
		group.listen(2);
		group.lead((number) => number === 2);
		expect(asked.at(-1)).toBe("2");
		expect(group.given.canLead).toBe(true);
	});

	it("a socket that comes while those are still there has no place that is known", async () => {
		const { group } = await groupOf(3);
		for (const number of [0, 1, 2]) group.listen(number);
		group.shrink(2, new Promise(() => {}));
		group.grow(3);
		group.listen(2);
		const asked = leadingSystem(() => true);
		group.lead((number) => number === 0);
		expect(asked).toEqual([]);
	});

	it("another process goes on with them, and leads anew where nobody knows the lead", async () => {
		const { group, port } = await groupOf(2);
		for (const number of [1, 0]) group.listen(number);
		const asked = leadingSystem(() => true);
		group.lead((number) => number === 1);
		const { descriptors, ...given } = group.given;
		expect(given).toEqual({
			...{ address: "127.0.0.1", port, order: [1, 0], led: "0" },
			...{ canLead: true, isFixed: false },
		});
		const other = ListeningGroup.of(group.given);
		expect(other.listen(1)).toBeUndefined();
		other.lead((number) => number === 1);
		expect(asked).toEqual(["0"]);
		other.forgetLead();
		expect(other.given.led).toBe("unknown");
		other.lead((number) => number === 1);
		expect(asked).toEqual(["0", "0"]);
		expect(descriptors).toHaveLength(2);
	});

	it("one that others have passed is every worker's, and neither grows nor is led", async () => {
		const { group } = await groupOf(1);
		group.listen(0);
		const fixed = ListeningGroup.of({ ...group.given, isFixed: true, canLead: false });
		expect(fixed.grow(3)).toBeUndefined();
		expect(fixed.size).toBe(1);
		expect([0, 1, 2].map((worker) => fixed.numbersOf(worker, 3))).toEqual([[0], [0], [0]]);
		const asked = leadingSystem(() => true);
		fixed.lead(() => false);
		expect(asked).toEqual([]);
	});
});
