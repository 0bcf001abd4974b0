/** Status lines and passed header lines as text; that they arrive so, `proxying/proxied-request.test.ts` and others prove. */
import { describe, expect, it } from "vitest";
import {
	announcedLength,
	hasNoBody,
	passedHeaders,
} from "../../../src/edge/response/write-response.ts";
import { RawResponseHead } from "../../../src/upstream/response-head.ts";

it("HEAD, 204 and 304 have no body", () => {
	expect([hasNoBody("HEAD", 200), hasNoBody("GET", 204), hasNoBody("GET", 304)]).toEqual([
		true,
		true,
		true,
	]);
	expect([hasNoBody("GET", 200), hasNoBody("POST", 304 + 1)]).toEqual([false, false]);
});

it("a body that there can't be has the length that was told, or none", () => {
	expect(announcedLength("GET", 200, 5)).toBe(5);
	expect(announcedLength("GET", 200, -1)).toBe(-1);
	expect(announcedLength("HEAD", 200, 5)).toBe(5);
	expect(announcedLength("HEAD", 200, -1)).toBe(0);
	expect(announcedLength("GET", 204, -1)).toBe(0);
	expect(announcedLength("GET", 304, 7)).toBe(7);
});

describe("passed header lines", () => {
	const passed = (lines: readonly string[], added: string) => {
		const raw = lines.map((text) => Buffer.from(text, "latin1"));
		const head = RawResponseHead.from(raw);
		return head && passedHeaders(head, added);
	};

	it("are the upstream's, and the edge's own behind them", () => {
		const own = "connection: close";
		expect(passed(["X-A", "1", "b", "t\xe9"], "")).toEqual({
			passed: "X-A: 1\r\nb: t\xe9",
			ascii: false,
		});
		expect(passed(["X-A", "1", "b", ""], own)).toEqual({
			passed: `X-A: 1\r\nb: \r\n${own}`,
			ascii: true,
		});
		expect(passed([], `${own}\r\ncontent-length: 5`)).toEqual({
			passed: `${own}\r\ncontent-length: 5`,
			ascii: true,
		});
		expect(passed([], "")).toEqual({ passed: "", ascii: true });
	});
});
