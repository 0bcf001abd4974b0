/** Proves that exactly the interim responses disappear, wherever the bytes are cut. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { InterimFilter } from "../../../src/upstream/undici/interim.ts";

const interim = fc.constantFrom(
	"HTTP/1.1 100 Continue\r\n\r\n",
	"HTTP/1.0 199\r\na: b\r\nc: d\r\n\r\n",
	"HTTP/1.1 103 Early Hints\nlink: x\n\n",
);
const rest = fc.oneof(
	fc.constantFrom(
		"HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
		"HTTP/1.1 101 Switching Protocols\r\n\r\n",
		"HTTP/2 100 x\r\n\r\n",
		"garbage",
		"HTTP/1.1x100 Continue\r\n\r\n",
		"HTTP/1.2 100 Continue\r\n\r\n",
		"HTTP/1.1 10 Continue\r\n\r\n",
		"HTTP/1.1 1000 Continue\r\n\r\n",
	),
	fc.string({ minLength: 13 }).filter((text) => !text.startsWith("HTTP/1.")),
);

test("takes out interim responses before the answer, nothing else", () => {
	fc.assert(
		fc.property(
			fc.array(interim, { maxLength: 4 }),
			rest,
			fc.array(fc.nat(200)),
			(some, final, cuts) => {
				const bytes = Buffer.from(some.join("") + final, "latin1");
				const edges = [
					0,
					...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b),
					bytes.length,
				];
				const filter = new InterimFilter(1000);
				filter.begin();
				const out = edges
					.slice(1)
					.map((end, index) => filter.filter(bytes.subarray(edges[index], end)) ?? Buffer.alloc(0));
				expect(Buffer.concat(out).toString("latin1")).toBe(
					Buffer.from(final, "latin1").toString("latin1"),
				);
				expect(filter.sawByte).toBe(true);
			},
		),
	);
});

test("an endless interim response is handed on instead of held", () => {
	const filter = new InterimFilter(1000);
	filter.begin();
	expect(filter.filter(Buffer.from("HTTP/1.1 100 "))).toBeUndefined();
	let handed: Buffer | undefined;
	for (let chunks = 0; chunks < 11 && handed === undefined; chunks += 1) {
		handed = filter.filter(Buffer.alloc(100, "a"));
	}
	expect(handed?.subarray(0, 13).toString()).toBe("HTTP/1.1 100 ");
});

test("begin forgets what was", () => {
	const filter = new InterimFilter(1000);
	filter.begin();
	filter.filter(Buffer.from("HTTP/1.1 1"));
	filter.begin();
	expect(filter.sawByte).toBe(false);
	expect(filter.filter(Buffer.from("HTTP/1.1 200 OK"))?.toString()).toBe("HTTP/1.1 200 OK");
});
