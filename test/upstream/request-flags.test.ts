/** What both ways to a backend know of a method agrees with HTTP, and texts that are no bytes are found. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { isIdempotent, isLatin1, requestFlags } from "../../src/upstream/request-flags.ts";

const METHODS = [
	...["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"],
	...["POST", "PATCH", "CONNECT", "PROPFIND", "X-OWN", "get", ""],
];

it("knows what may be repeated, whose answer has no body, and who says that it sends none", () => {
	for (const method of METHODS) {
		const flags = requestFlags(method);
		expect((flags & 2) !== 0, method).toBe(isIdempotent(method));
		expect((flags & 1) !== 0, method).toBe(method === "HEAD");
		expect((flags & 4) !== 0, method).toBe(["PUT", "POST", "PATCH"].includes(method));
	}
});

it("methods are case-sensitive tokens", () => {
	for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]) {
		expect(isIdempotent(method)).toBe(true);
		expect(isIdempotent(method.toLowerCase())).toBe(false);
	}
	for (const method of ["POST", "PATCH", "CONNECT", "PURGE"])
		expect(isIdempotent(method)).toBe(false);
});

it("finds any character that is no byte", () => {
	const unit = fc.oneof(fc.nat(0xff), fc.nat(0xffff));
	fc.assert(
		fc.property(fc.array(unit), (units) => {
			expect(isLatin1(String.fromCharCode(...units))).toBe(units.every((each) => each <= 0xff));
		}),
	);
});
