/** Header fields in access lines: bounded, joined, and credentials never whole. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { bounded, loggedField, loggedHeaders } from "../../../src/edge/access/logged-headers.ts";
import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

const SECRET = "s3cr3t-value";
const told = (name: string, ...values: string[]): string | undefined =>
	loggedField(new FlatHeaders(values.flatMap((value) => [name, value])), name);

it("tells a field as it came, and several lines as one", () => {
	expect(told("accept", "text/html")).toBe("text/html");
	expect(told("accept", "a", "b")).toBe("a, b");
	expect(told("accept")).toBe(undefined);
});

it("tells of credentials the scheme, of cookies the names and attributes", () => {
	for (const [name, value, expected] of [
		["authorization", `Bearer ${SECRET}`, "Bearer [redacted]"],
		["authorization", `Basic   ${SECRET}`, "Basic [redacted]"],
		["authorization", SECRET, "[redacted]"],
		["authorization", "", "[redacted]"],
		["authorization", `${"x".repeat(40)} ${SECRET}`, "[redacted]"],
		["proxy-authorization", `Digest username="${SECRET}"`, "Digest [redacted]"],
		["cookie", `sid=${SECRET}; theme=${SECRET}`, "sid=[redacted]; theme=[redacted]"],
		["cookie", SECRET, "[redacted]"],
		["cookie", `a=b=${SECRET};;c`, "a=[redacted]; [redacted]; [redacted]"],
		["set-cookie", `sid=${SECRET}; Path=/; HttpOnly`, "sid=[redacted]; Path=/; HttpOnly"],
		["set-cookie", `sid=${SECRET}`, "sid=[redacted]"],
		["set-cookie", SECRET, "[redacted]"],
		["x-api-key", SECRET, "[redacted]"],
		["x-auth-token", SECRET, "[redacted]"],
	] as const) {
		expect([name, value, told(name, value)]).toEqual([name, value, expected]);
	}
});

it("never tells a secret, wherever it stands", () => {
	const names = ["authorization", "proxy-authorization", "cookie", "x-api-key", "x-csrf-token"];
	const piece = fc.constantFrom(" ", ";", "=", ",", "Bearer ", "a", "\t", '"');
	fc.assert(
		fc.property(fc.constantFrom(...names), fc.array(piece), fc.array(piece), (name, one, other) => {
			// What stands before the first `=` or `;` of a cookie is its name.
			const value = `${name === "cookie" ? "n=" : "Bearer "}${one.filter((each) => each !== ";").join("")}${SECRET}${other.join("")}`;
			expect(told(name, value)).not.toContain(SECRET);
		}),
	);
});

it("cuts what is long, not within a character, and says so", () => {
	const most = LIMITS.accessTextCharacters;
	expect(bounded("x".repeat(most))).toHaveLength(most);
	expect(bounded("x".repeat(most + 1))).toBe(`${"x".repeat(most)}…`);
	expect(bounded(`${"x".repeat(most - 1)}😀😀`)).toBe(`${"x".repeat(most - 1)}…`);
	expect(bounded(`${"x".repeat(most - 2)}😀😀`)).toBe(`${"x".repeat(most - 2)}😀…`);
	expect(told("cookie", "a=b; ".repeat(100_000))?.length).toBeLessThan(most + 2);
});

it("tells of the named fields those that are there", () => {
	const lines = new FlatHeaders(["a", "1", "b", "2"]);
	expect(loggedHeaders(lines, ["b", "c", "a"])).toEqual({ b: "2", a: "1" });
	expect(loggedHeaders(lines, ["c"])).toBe(undefined);
	expect(loggedHeaders(lines, [])).toBe(undefined);
});
