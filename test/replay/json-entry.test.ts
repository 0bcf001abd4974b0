/** Weir's own lines, whole and broken, and their times without the rest. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEntry, timesIn } from "../../src/replay/json-entry.ts";
import { BEGIN_MS, jsonLine } from "./lines.ts";

describe("a line", () => {
	it("is a request with all that it tells", () => {
		const tls = { version: "TLSv1.3", sni: "a.example" };
		const fields = { tls, query: "a=1", user_agent: "curl", referer: "http://b/", country: "NL" };
		const lines = { headers: { "x-a": "1" }, response_headers: { "x-b": "2" }, sample_rate: 0.5 };
		expect(jsonEntry(jsonLine(1000, { ...fields, ...lines, duration_ms: 2.25 }))).toMatchObject({
			kind: "request",
			entry: {
				...{ startMs: BEGIN_MS + 997, endMs: BEGIN_MS + 1000, scheme: "https", rawQuery: "a=1" },
				...{ tlsVersion: "TLSv1.3", tlsSni: "a.example", country: "NL", isSampled: true },
				headers: ["x-a", "1", "user-agent", "curl", "referer", "http://b/"],
				responseHeaders: ["x-b", "2"],
			},
		});
	});

	it.each([
		["{", "it is no whole JSON object"],
		['{"a":1}', "no line of weir's log"],
		[jsonLine(1, { time: "soon" }), '"time" is no time'],
		[jsonLine(1, { status: "200" }), '"method", "path" and "status"'],
	])("%s is bad", (line, why) => {
		expect(jsonEntry(line)).toEqual({ kind: "bad", why: expect.stringContaining(why) });
	});

	it("is another one, or of a request that was refused while it was read", () => {
		expect(jsonEntry('{"level":"warn","msg":"x"}').kind).toBe("other");
		expect(jsonEntry('{"level":"info","msg":"refused"}').kind).toBe("refused");
	});

	it("never throws, and never makes of anything what it is not", () => {
		fc.assert(
			fc.property(fc.json(), fc.string(), (json, text) => {
				const fields = { headers: JSON.parse(json), tls: JSON.parse(json), host: JSON.parse(json) };
				expect(jsonEntry(jsonLine(1, fields)).kind).toBe("request");
				expect(["bad", "other", "refused"]).toContain(jsonEntry(`{${text}`).kind);
			}),
		);
	});
});

describe("times", () => {
	it("are those of the whole line, also where clients write what looks like them", () => {
		const text = fc.oneof(fc.string(), fc.constant(',"duration_ms":7,'));
		fc.assert(
			fc.property(text, fc.integer({ min: 1, max: 9_000_000 }), (path, microseconds) => {
				const line = jsonLine(1234, { path, duration_ms: microseconds / 1000 });
				const read = jsonEntry(line);
				if (read.kind !== "request") throw new Error("it was not read");
				const { startMs, endMs } = read.entry;
				expect(timesIn(line)).toEqual({ startMs, endMs });
			}),
		);
	});

	it("are not told of lines in another form", () => {
		expect(timesIn(jsonLine(1).replace('"level":"info",', ""))).toBeUndefined();
		expect(timesIn('{"level":"info","msg":"weir is ready"}')).toBeUndefined();
		expect(timesIn(jsonLine(1, { time: "it is not yet known what" }))).toBeUndefined();
	});

	it("put what followed upon a request's end behind it", () => {
		fc.assert(
			fc.property(
				fc.array(fc.record({ pause: fc.nat(3000), takes: fc.integer({ min: 1, max: 5000 }) })),
				(requests) => {
					let nowUs = 0;
					let before = Number.NEGATIVE_INFINITY;
					for (const { pause, takes } of requests) {
						nowUs += pause + takes;
						const line = jsonLine(Math.floor(nowUs / 1000), { duration_ms: takes / 1000 });
						const times = timesIn(line);
						expect(times?.startMs).toBeGreaterThanOrEqual(before);
						before = (times?.endMs ?? 0) - 1;
					}
				},
			),
		);
	});
});
