/** Encodings, held against the platform's, and decoded JSON as CEL values. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Value, ValueMap } from "../../../src/cel/values/value.ts";
import { call, charged } from "./calls.ts";

test("property: base64 is decoded to what was encoded, with and without padding", () => {
	fc.assert(
		fc.property(
			fc.uint8Array({ maxLength: 30 }),
			fc.string({ unit: "grapheme" }),
			(bytes, text) => {
				const encoded = String(call("base64.encode(bytes) -> string", bytes));
				expect(call("base64.decode(string) -> bytes", encoded)).toEqual(bytes);
				expect(call("base64.decode(string) -> bytes", encoded.replace(/=+$/, ""))).toEqual(bytes);
				expect(call("base64.encode(string) -> string", text)).toBe(
					Buffer.from(text).toString("base64"),
				);
			},
		),
	);
	expect(call("base64.encode(bytes) -> string", new Uint8Array([0, 1, 2, 3]).subarray(2))).toBe(
		"AgM=",
	);
});

test.each([
	["a", "not the text of base64"],
	["aGVs\nbG8=", "not the text of base64"],
	["aGVsbG8_", "not the text of base64"],
	["aGVsbG8==", "not the text of base64: wrong padding"],
	["=", "not the text of base64: wrong padding"],
	["aG=sbG8=", "not the text of base64"],
])("%j is no base64", (text, message) => {
	expect(call("base64.decode(string) -> bytes", text)).toBe(`failure: ${message}`);
});

test("property: hashes are the platform's", () => {
	fc.assert(
		fc.property(fc.string({ unit: "grapheme" }), fc.uint8Array(), (text, bytes) => {
			const hash = (data: string | Uint8Array): string =>
				createHash("sha256").update(data).digest("hex");
			expect(call("hash.sha256(string) -> string", text)).toBe(hash(text));
			expect(call("hash.sha256(bytes) -> string", bytes)).toBe(hash(bytes));
		}),
	);
	expect(call("hash.sha256(string) -> string", "abc")).toBe(
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	);
});

/** JSON's value back from CEL's. */
function jsonOf(value: Value): unknown {
	if (Array.isArray(value)) return value.map(jsonOf);
	if (!(value instanceof ValueMap)) return value;
	return Object.fromEntries(
		value.keys().map((key) => [String(key), jsonOf(value.get(key) ?? null)]),
	);
}

test("property: JSON becomes the same as values", () => {
	fc.assert(
		fc.property(fc.json({ maxDepth: 4 }), (text) => {
			expect(jsonOf(call("json.decode(string) -> dyn", text))).toEqual(JSON.parse(text));
		}),
	);
	const decoded = call("json.decode(string) -> dyn", '{"__proto__": {"a": 1}, "b": null}');
	expect(decoded instanceof ValueMap && decoded.keys()).toEqual(["__proto__", "b"]);
});

test("texts of JSON are well-formed, numbers are doubles", () => {
	expect(call("json.decode(string) -> dyn", '["\\ud83d", "\\ud83d\\ude00", 1, -0, 1e999]')).toEqual(
		["\ufffd", "😀", 1, -0, Number.POSITIVE_INFINITY],
	);
});

test("JSON that is none, or nested too deep, is refused", () => {
	expect(call("json.decode(string) -> dyn", "{a: 1}")).toBe(
		"failure: not the text of a JSON value",
	);
	expect(call("json.decode(string) -> dyn", "[".repeat(100_000))).toContain("failure");
	expect(call("json.decode(string) -> dyn", "[".repeat(500) + "]".repeat(500))).toContain(
		"failure: JSON nested deeper than",
	);
});

test("what grows with the text is charged for", () => {
	const text = "a".repeat(100_000);
	for (const signature of [
		"hash.sha256(string) -> string",
		"base64.encode(string) -> string",
		"base64.decode(string) -> bytes",
	]) {
		expect(charged(() => call(signature, text))).toBeGreaterThan(100_000);
	}
	expect(
		charged(() => call("json.decode(string) -> dyn", `[${"1,".repeat(50_000)}1]`)),
	).toBeGreaterThan(3_000_000);
});

test("chance stays within its bounds and reaches both", () => {
	const seen = new Set<Value>();
	for (let turn = 0; turn < 500; turn++) {
		seen.add(call("rand.int(int, int) -> int", -1n, 1n));
		const double = call("rand.double() -> double");
		expect(double).toBeGreaterThanOrEqual(0);
		expect(double).toBeLessThan(1);
	}
	expect(seen).toEqual(new Set([-1n, 0n, 1n]));
	const [min, max] = [-(2n ** 63n), 2n ** 63n - 1n];
	const wide = call("rand.int(int, int) -> int", min, max);
	expect(wide).toBeGreaterThanOrEqual(min);
	expect(wide).toBeLessThanOrEqual(max);
	expect(call("rand.int(int, int) -> int", 2n, 1n)).toBe("failure: rand.int: 2 is above 1");
});
