/** Who is one client: an IPv4 address, a site of IPv6. */
import { expect, test } from "vitest";
import { clientKey } from "../../src/threads/client-key.ts";

test("each IPv4 address is a client, also written as IPv6", () => {
	expect(clientKey("192.0.2.1")).toBe("192.0.2.1");
	expect(clientKey("192.0.2.1")).not.toBe(clientKey("192.0.2.2"));
	expect(clientKey("::ffff:192.0.2.1")).not.toBe(clientKey("::ffff:192.0.2.2"));
});

test("all addresses of a /64 are one client", () => {
	expect(clientKey("2001:db8:1:2::1")).toBe(clientKey("2001:db8:1:2:ffff::9"));
	expect(clientKey("2001:db8:1:2::1")).not.toBe(clientKey("2001:db8:1:3::1"));
});

test("what is no address is a client of its own", () => {
	expect(clientKey("")).toBe("");
	expect(clientKey("x:y")).toBe("x:y");
});
