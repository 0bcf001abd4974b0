/** RFC 6455's own example, and lists as clients write them. */
import { describe, expect, it } from "vitest";
import { acceptFor, elementsOf, isWebSocketKey, protocolsIn } from "../../src/http/upgrade.ts";

it("answers the key of RFC 6455 1.3 as it says", () => {
	expect(acceptFor("dGhlIHNhbXBsZSBub25jZQ==")).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
});

it("reads lists over several lines, in any case, with empty elements", () => {
	expect(elementsOf(["keep-alive, Upgrade", "", " ,X\t,"])).toEqual(["keep-alive", "upgrade", "x"]);
});

describe("protocols", () => {
	it.each([
		[["websocket"], ["websocket"]],
		[["WebSocket"], ["websocket"]],
		[["foo/2, Bar"], ["foo/2", "bar"]],
		[["h2c"], []],
		[["H2C, websocket"], ["websocket"]],
		// each of them would carry requests past the rules
		[["h2, HTTP/2.0, https, TLS/1.2, ssl, http/1.1"], []],
		[["h2c-14, H2-17, h2-x"], ["h2-x"]],
		// no tokens
		[["web socket, a/b/c, /x, x/"], []],
		// KELVIN SIGN is no k
		[["websoc\u212aet"], []],
	])("%j is %j", (lines, protocols) => {
		expect(protocolsIn(lines)).toEqual(protocols);
	});
});

describe("a key", () => {
	it.each([
		["dGhlIHNhbXBsZSBub25jZQ==", true],
		["AAAAAAAAAAAAAAAAAAAAAA==", true],
		["", false],
		["AAAAAAAAAAAAAAAAAAAAAA=", false],
		["AAAAAAAAAAAAAAAAAAAAAA", false],
		["AAAAAAAAAAAAAAAAAAAAAAA=", false],
		// bits that belong to no byte
		["AAAAAAAAAAAAAAAAAAAAAB==", false],
		["AAAAAAAAAAAAAAAAAAAAA-==", false],
		["AAAAAAAAAAAAAAAAAAAAAA==AAAAAAAAAAAAAAAAAAAAAA==", false],
	])("%j: %s", (key, isKey) => {
		expect(isWebSocketKey(key)).toBe(isKey);
	});
});
