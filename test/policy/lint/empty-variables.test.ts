/** Variables that are empty for every request, by the build and by the configuration. */
import { expect, test } from "vitest";
import { VARIABLE_TABLE } from "../../../src/cel/variables/table.ts";
import { said } from "./support.ts";

const BARE = { tls: false, geo: false, clientPort: false };
const FULL = { tls: true, geo: true, clientPort: false };

test.each([
	["conn.tls.version == 'TLSv1.3'", "conn.tls.version is always empty"],
	["conn.tls.cipher_suite.contains('AES')", "conn.tls.cipher_suite is always empty"],
	["'x' in req.trailers", "req.trailers is always empty: trailers"],
	["size(res.trailers) > 0", "res.trailers is always empty: trailers"],
])("%s, everywhere", (source, words) => {
	for (const around of [undefined, BARE, FULL]) {
		expect(said(source, around)).toEqual([expect.stringContaining(`empty_variable: ${words}`)]);
	}
});

test.each([
	["conn.geo.city == 'Berlin'", "set geo.database"],
	["conn.geo.country != ''", "set geo.database"],
	["conn.tls.sni == 'example.com'", "no listener has TLS"],
])("%s, where the configuration leaves it empty", (source, words) => {
	expect(said(source, BARE)).toEqual([expect.stringContaining(words)]);
	expect(said(source, FULL)).toEqual([]);
	expect(said(source)).toEqual([]);
});

test("the client's port, where nothing tells it", () => {
	expect(said("conn.client_port > 1024", BARE)).toEqual([
		expect.stringContaining("empty_variable: conn.client_port is always 0"),
	]);
	expect(said("conn.client_port > 1024", { ...FULL, clientPort: true })).toEqual([]);
	expect(said("conn.client_port > 1024")).toEqual([]);
});

test("nothing of the others, and each once", () => {
	expect(
		said("conn.geo.country_code == 'DE' && conn.client_ip != '' && endpoint.id != ''", BARE),
	).toEqual([]);
	expect(said("conn.client_port > 1 && conn.client_port < 9", BARE)).toHaveLength(1);
});

test("are told as always empty where the table of variables says so, and nowhere else", () => {
	const everything = { tls: true, geo: true, clientPort: true };
	for (const { name, doc, absent } of VARIABLE_TABLE) {
		const isAlwaysEmpty = doc.startsWith("Always empty") || /^always `''`/.test(absent ?? "");
		const told = said(`${name} == ${name}`, everything).filter((line) =>
			line.startsWith("empty_variable"),
		);
		expect([name, told.length]).toEqual([name, isAlwaysEmpty ? 1 : 0]);
	}
});
