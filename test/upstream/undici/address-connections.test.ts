/** Which of an address's connections a request gets, what counts as room, and what closing closes. */
import { expect, it } from "vitest";
import { AddressConnections } from "../../../src/upstream/undici/address-connections.ts";
import { FakeConnection } from "./fakes.ts";

const of = (most: number) => {
	const made: FakeConnection[] = [];
	const connections = new AddressConnections(most, () => {
		const connection = new FakeConnection();
		made.push(connection);
		return connection;
	});
	const standing = () => [connections.count, connections.busy, connections.hasRoom];
	return { connections, made, standing };
};

it("a place is taken by a request; idle and unconnected ones, and those not yet made, are room", async () => {
	const { connections, made, standing } = of(2);
	expect(standing()).toEqual([0, 0, true]);
	connections.take(0);
	connections.take(0);
	expect(standing()).toEqual([2, 2, false]);
	const [one, other] = made as [FakeConnection, FakeConnection];
	connections.release(one);
	expect(standing()).toEqual([2, 1, true]);
	one.connected = false;
	connections.disconnected(one);
	connections.disconnected(other);
	expect(standing()).toEqual([2, 1, true]);
	expect(connections.take(0)).toBe(one);
	await connections.discard(one);
	expect(standing()).toEqual([1, 1, true]);
});

it("the one used last is preferred, if that is not too long ago, to one not open, to a new one", () => {
	const { connections, made } = of(4);
	for (let count = 0; count < 3; count += 1) connections.take(0);
	const [first, second, third] = made as [FakeConnection, FakeConnection, FakeConnection];
	first.idleSinceMs = 10;
	second.connected = false;
	third.idleSinceMs = 20;
	for (const connection of made) connections.release(connection);
	expect(connections.take(19)).toBe(third);
	expect(connections.take(10)).toBe(second);
	expect(connections.take(10)).toBe(made[3]);
	// There may be no more, so that the idle one is opened anew.
	expect(connections.take(10)).toBe(first);
	expect(made.map(({ did }) => did)).toEqual([["disconnect"], [], [], []]);
});

it("closes what no request has", async () => {
	const { connections, made, standing } = of(4);
	for (let count = 0; count < 3; count += 1) connections.take(0);
	const [first, second] = made as [FakeConnection, FakeConnection];
	second.connected = false;
	connections.release(first);
	connections.release(second);
	await Promise.all(connections.discardUnused());
	expect(made.map(({ did }) => did)).toEqual([["close"], ["close"], []]);
	expect(standing()).toEqual([1, 1, true]);
});
