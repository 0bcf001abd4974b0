import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { isTruncated } from "../../../src/edge/slow/truncated-body.ts";

const exchange = (bytesBeforeEnd: number, scheme = "http"): Exchange =>
	({
		client: { bytesBeforeEnd: () => bytesBeforeEnd },
		bodyBytesIn: 10,
		listenerContext: { scheme },
	}) as unknown as Exchange;

it.each([
	["has not ended, as far as anybody knows", -1, 100, false],
	["ended before its body did", 89, 100, true],
	["ended behind its whole body", 90, 100, false],
	["ended behind its body and another request", 500, 100, false],
	["ended, and what is left may be the rest of the chunks", 1, -1, false],
	["ended within the chunks", 0, -1, true],
])("a client that %s", (_name, left, length, expected) => {
	expect(isTruncated(exchange(left), length)).toBe(expected);
});

it("nothing is known of TLS", () => {
	expect(isTruncated(exchange(0, "https"), 100)).toBe(false);
});
