/** What the addon's text of a ClientHello tells: the name in one spelling, the fingerprint when it is asked for. */
import { expect, it } from "vitest";
import { TlsClient, UNKNOWN_TLS_CLIENT } from "../../../src/http/tls/tls-client.ts";

const said = (text: string): string[] => {
	const { version, serverName, ja4 } = new TlsClient(text);
	return [version, serverName, ja4];
};

it("takes the text apart", () => {
	expect(said("1.3\0a.example\0t13d0102h1_1301_002b")).toEqual([
		"1.3",
		"a.example",
		"t13d0102h1_0f2cb44170f4_b9a491fefe05",
	]);
	expect(said("1.2\0\0")).toEqual(["1.2", "", ""]);
	expect(said("")).toEqual(["", "", ""]);
	expect(UNKNOWN_TLS_CLIENT.ja4).toBe("");
});

it.each([
	["WWW.Example.COM", "www.example.com"],
	["example.com.", "example.com"],
	["[::1]", "[::1]"],
	["127.0.0.1", "127.0.0.1"],
	["a..b", ""],
	[".", ""],
	["a b", ""],
	["caf\u00e9.example", ""],
	["a\tb", ""],
])("has one spelling of the name %s", (sent, spelled) => {
	expect(said(`1.3\0${sent}\0`)[1]).toBe(spelled);
});
