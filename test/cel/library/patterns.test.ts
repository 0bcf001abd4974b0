/** Patterns that come with a request. */
import { expect, test } from "vitest";
import { call, charged } from "./calls.ts";

test("patterns", () => {
	for (const signature of ["matches(string, string) -> bool", "string.matches(string) -> bool"]) {
		expect(call(signature, "xaay", "a{2}")).toBe(true);
		expect(call(signature, "xay", "^a")).toBe(false);
	}
});

test("a pattern that comes with the request is charged for before it is compiled, and each search", () => {
	const matches = "string.matches(string) -> bool";
	const first = charged(() => call(matches, "xay", "[ab]*a[ab]{90}c"));
	const second = charged(() => call(matches, "xay", "[ab]*a[ab]{90}c"));
	const long = charged(() => call(matches, "a".repeat(60_000), "[ab]*a[ab]{90}c"));
	// the square numbers' places: ever other letters before each of them
	const places = new Set(Array.from({ length: 250 }, (_, root) => root * root));
	const text = Array.from({ length: 60_000 }, (_, at) => (places.has(at) ? "a" : "b")).join("");
	const changing = charged(() => call(matches, text.repeat(2), "[ab]*a[ab]{90}c"));
	expect(first).toBeGreaterThan(200_000 + second);
	expect(long).toBeGreaterThan(150_000);
	// what has to be made on the way is charged as it is made
	expect(changing).toBeGreaterThan(2 * long + 300_000);
	expect(charged(() => call(matches, "xay", "[ab]*a[ab]{90}c("))).toBeGreaterThan(200_000);
});
