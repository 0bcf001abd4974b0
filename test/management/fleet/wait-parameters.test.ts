/** Times and revisions as requests write them; what the API makes of them is in fleet-door.test.ts. */
import { expect, it } from "vitest";
import {
	durationIn,
	revisionIn,
	waitOf,
	wantedRevision,
} from "../../../src/management/fleet/wait-parameters.ts";
import { ApiRequest } from "../../../src/management/http/request.ts";

const query = (text: string) => new URLSearchParams(text);

it("reads times up to a minute", () => {
	for (const [text, ms] of [
		["1ms", 1],
		["5s", 5000],
		["60s", 60_000],
		["60000ms", 60_000],
	] as const)
		expect(durationIn(query(`t=${text}`), "t", 7)).toBe(ms);
	expect(durationIn(query(""), "t", 7)).toBe(7);
	for (const text of ["", "5", "s", "0s", "61s", "-1s", "1.5s", "1m", "100000ms", " 5s"])
		expect(() => durationIn(query(`t=${text}`), "t", 7), text).toThrow("must be a time");
});

it("reads revisions", () => {
	expect(revisionIn(query("r=0"), "r")).toBe(0);
	expect(revisionIn(query("r=123456789012345"), "r")).toBe(123_456_789_012_345);
	expect(revisionIn(query(""), "r")).toBeUndefined();
	for (const text of ["", "01", "1e3", "-1", "1234567890123456"])
		expect(() => revisionIn(query(`r=${text}`), "r"), text).toThrow("a number");
});

it("knows who waits for what", () => {
	const request = (text: string, fields: string[] = []) => new ApiRequest("PUT", "/", text, fields);
	expect(waitOf(request(""), {}, true)).toBeUndefined();
	expect(waitOf(request("wait=fleet"), {}, true)).toBe(5000);
	expect(() => waitOf(request("wait=fleet"), {}, false)).toThrow("in no fleet");
	expect(() => waitOf(request("wait=fleet"), { isLocal: true }, true)).toThrow("leave wait out");
	expect(wantedRevision(request(""), false)).toBeUndefined();
	expect(wantedRevision(request("", ["fleet-revision", "7"]), true)).toBe(7);
	const twice = request("", ["fleet-revision", "7", "fleet-revision", "8"]);
	expect(() => wantedRevision(twice, true)).toThrow("one number");
});
