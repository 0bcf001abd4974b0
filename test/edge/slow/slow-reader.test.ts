import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { SlowReader } from "../../../src/edge/slow/slow-reader.ts";

const scene = (acknowledged: () => number) => {
	const response = { heldBytes: 7, takenBytes: 1000, holdsPlace: true, tooSlow: () => {} };
	const upstream = {};
	const exchange = {
		client: { acknowledgedBytes: acknowledged },
		route: { backend: { upstream } },
	} as unknown as Exchange;
	return { response, upstream, reader: new SlowReader(exchange, response) };
};

it("has moved what its kernel acknowledged, else what ours took", () => {
	let acknowledged = 500;
	const { reader } = scene(() => acknowledged);
	expect([reader.movedBytes, reader.pace.bytes]).toEqual([500, 500]);
	acknowledged = -1;
	expect(reader.movedBytes).toBe(1000);
});

it("makes progress when bytes arrived, though our kernel took none", () => {
	const { reader } = scene(() => 500);
	reader.wait();
	const begin = reader.lastProgressMs;
	reader.look(begin + 1000);
	expect(reader.lastProgressMs).toBe(begin);
	reader.pace.bytes = 501;
	reader.look(begin + 2000);
	reader.look(begin + 3000);
	expect(reader.lastProgressMs).toBe(begin + 2000);
});

it("is waited for while its socket is full, and holds a place while the upstream has one for it", () => {
	const { reader, response, upstream } = scene(() => 0);
	expect(reader.waitedSinceMs).toBe(Number.POSITIVE_INFINITY);
	reader.wait();
	expect(reader.waitedSinceMs).toBe(reader.lastProgressMs);
	reader.goOn();
	expect(reader.waitedSinceMs).toBe(Number.POSITIVE_INFINITY);
	expect(reader.upstream).toBe(upstream);
	response.holdsPlace = false;
	expect(reader.upstream).toBe(undefined);
	expect(reader.heldBytes).toBe(7);
});
