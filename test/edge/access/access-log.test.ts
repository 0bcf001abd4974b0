/** Which requests have a line, in which form and where; and what a sample keeps. */
import { afterEach, expect, it, vi } from "vitest";
import type { Config } from "../../../src/config.ts";
import { AccessLog } from "../../../src/edge/access/access-log.ts";
import type { LoggedRequest } from "../../../src/edge/access/logged-request.ts";
import { logSettings } from "../../observing.ts";
import { decodedBy } from "../../telemetry/encoded.ts";
import { loggedRequest } from "./logged.ts";

afterEach(() => void vi.restoreAllMocks());

function accessLog(settings: Partial<Config["log"]>, hasOutput = false) {
	const lines: string[] = [];
	const encoded = (to: string) =>
		decodedBy(
			(fields, message) =>
				void lines.push(`${to} ${message} ${(fields as { status: number }).status}`),
		);
	const output = {
		encoded: encoded("output"),
		line: (text: string) => void lines.push(`line ${text}`),
	};
	const log = new AccessLog(
		logSettings(settings),
		{ encoded: encoded("log") },
		hasOutput ? output : undefined,
	);
	return { log, lines };
}

const refused = {
	requestId: "id-2",
	method: "GET",
	rawPath: "/bad",
	clientIp: "192.0.2.1",
	errorCode: "ERR_BAD_REQUEST",
} as const;

it("has lines for requests whose policy logs, and with access logging for all", () => {
	const off = accessLog({}, true);
	off.log.ended(loggedRequest(), 200, false);
	off.log.ended(loggedRequest({ logs: [1] }), 201, false);
	off.log.refused(refused, 400);
	expect([off.log.isOn, off.lines]).toEqual([false, ["log request 201"]]);

	const on = accessLog({ access: true });
	on.log.ended(loggedRequest(), 200, false);
	on.log.refused(refused, 400);
	expect([on.log.isOn, on.lines]).toEqual([true, ["log request 200", "log refused 400"]]);
	on.log.settle(logSettings());
	on.log.ended(loggedRequest(), 200, false);
	expect(on.lines).toHaveLength(2);
});

it("has them in their own destination, in either form", () => {
	const json = accessLog({ access: true, accessDestination: "/a" }, true);
	json.log.ended(loggedRequest({ logs: [1] }), 200, false);
	json.log.refused(refused, 400);
	expect(json.lines).toEqual(["output request 200", "output refused 400"]);

	const text = accessLog({ access: true, accessDestination: "/a", accessFormat: "combined" }, true);
	text.log.ended(loggedRequest({ logs: [1] }), 200, false);
	text.log.ended(loggedRequest(), 404, false);
	text.log.refused(refused, 400);
	expect(text.lines).toEqual([
		expect.stringMatching(/^line 192\.0\.2\.1 - - \[.*\] "GET \/x HTTP\/1\.1" 200 2 "-" "-"$/),
		"log request 200",
		expect.stringMatching(/ 404 /),
		expect.stringMatching(/"GET \/bad" 400 0/),
	]);
});

it("keeps a share of ordinary requests, and all refusals, errors and logs", () => {
	const { log, lines } = accessLog({ access: true, accessSample: 0.25 });
	vi.spyOn(Math, "random").mockReturnValue(0.25);
	const ordinary: [LoggedRequest, number][] = [
		[loggedRequest(), 200],
		[loggedRequest(), 301],
		[loggedRequest({ answeredBy: "respond" }), 302],
		[loggedRequest({ answeredBy: "preflight" }), 204],
	];
	for (const [request, status] of ordinary) log.ended(request, status, false);
	expect(lines).toEqual([]);
	const kept: [LoggedRequest, number, boolean?][] = [
		[loggedRequest(), 404],
		[loggedRequest(), 500],
		[loggedRequest(), 200, true],
		[loggedRequest({ answeredBy: "close" }), 0],
		[loggedRequest({ answeredBy: "deny" }), 200],
		[loggedRequest({ answeredBy: "limited", limit: "l" }), 200],
		[loggedRequest({ failure: "broken" }), 200],
		[loggedRequest({ logs: [1] }), 200],
		[loggedRequest({ answeredBy: "none" }), 200],
	];
	for (const [request, status, aborted = false] of kept) log.ended(request, status, aborted);
	log.refused(refused, 400);
	expect(lines).toHaveLength(kept.length + 1);
	vi.spyOn(Math, "random").mockReturnValue(0.2499);
	for (const [request, status] of ordinary) log.ended(request, status, false);
	expect(lines).toHaveLength(kept.length + 1 + ordinary.length);
});

it("keeps none of a sample of nothing", () => {
	const { log, lines } = accessLog({ access: true, accessSample: 0 });
	for (let each = 0; each < 100; each++) log.ended(loggedRequest(), 200, false);
	expect(lines).toEqual([]);
});

it("reads answers where lines tell of their header", () => {
	const readsResponse = (settings: Partial<Config["log"]>) => accessLog(settings).log.readsResponse;
	expect(readsResponse({ access: true })).toBe(false);
	expect(readsResponse({ responseHeaders: ["a"] })).toBe(false);
	expect(readsResponse({ access: true, responseHeaders: ["a"] })).toBe(true);
});
