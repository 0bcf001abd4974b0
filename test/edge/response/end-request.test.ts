/** Requests that can't go on end once, and are counted as what they are. */
import { expect, it } from "vitest";
import type { Exchange } from "../../../src/edge/exchange.ts";
import { CLIENT_GONE } from "../../../src/edge/request/client-gone.ts";
import { breakOff } from "../../../src/edge/response/end-request.ts";
import type { Services } from "../../../src/edge/services.ts";

/** @param error why the request can't go on @returns what became of it, and lines of the log */
function brokenOff(error: unknown, over: boolean) {
	const done: unknown[] = [];
	const errors: string[] = [];
	const exchange = { over, routeId: "r", response: { close: () => done.push("closed") } };
	const services = {
		log: { error: (_fields: object, message: string) => errors.push(message) },
		end: (_: unknown, statusCode: number, aborted: boolean) => done.push(statusCode, aborted),
	};
	breakOff(exchange as unknown as Exchange, error, services as unknown as Services);
	return { done, errors };
}

it("a request that can't go on is counted and its connection closed, unless it is over", () => {
	const error = new Error("a bug");
	expect(brokenOff(error, false)).toEqual({
		done: [500, false, "closed"],
		errors: ["request failed"],
	});
	expect(brokenOff(error, true)).toEqual({ done: [], errors: ["request failed"] });
});

it("a client that has gone is counted as that, and is no error", () => {
	expect(brokenOff(CLIENT_GONE, false)).toEqual({ done: [500, true, "closed"], errors: [] });
});
