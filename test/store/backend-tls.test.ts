/** A backend's `tls` in a route's document: what is taken, and the sentence for each mistake. */
import { expect, it } from "vitest";
import { check } from "../../src/documents/problems.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { routeSchema } from "../../src/store/resources.ts";

const problemsOf = (tls: unknown, urls = ["https://a"]): unknown => {
	const document = { match_type: "path_prefix", match: "/", backend: { urls, tls } };
	const checked = check(routeSchema, document);
	if (checked.ok) expect(checked.value).toEqual(document);
	return checked.ok ? [] : checked.error.map(({ pointer, message }) => `${pointer}: ${message}`);
};
const at = (field: string, message: string) => [`/backend/tls/${field}: ${message}`];

it.each([
	{},
	{ ca: "/etc/weir/ca.pem" },
	{ server_name: "backend.internal" },
	{ verify: false },
	{ verify: true, client_cert: "/a.pem", client_key: "/a.key" },
])("takes %j", (tls) => {
	expect(problemsOf(tls)).toEqual([]);
	expect(problemsOf(tls, ["http://a", "HTTPS://b"])).toEqual([]);
	expect(problemsOf(tls, ["http://a"])).toEqual([
		'/backend/tls: is for "https://" urls, and there is none',
	]);
});

const ABSOLUTE = "must be the absolute path of a file on weir's machine";
it.each([
	[{ ca: "ca.pem" }, at("ca", ABSOLUTE)],
	[{ ca: "" }, at("ca", ABSOLUTE)],
	[{ ca: "/a\0b" }, at("ca", ABSOLUTE)],
	[
		{ ca: "-----BEGIN CERTIFICATE-----" },
		at("ca", "takes the path of a file on weir's machine, not the text of the file"),
	],
	[{ client_cert: "/a.pem" }, at("client_cert", 'needs "client_key" beside it')],
	[{ client_key: "/a.key" }, at("client_key", 'needs "client_cert" beside it')],
	[{ verify: "no" }, at("verify", 'expected true or false, got the string "no"')],
])("refuses %j", (tls, problems) => {
	expect(problemsOf(tls)).toEqual(problems);
});

it.each(["192.0.2.1", "[::1]", "a:443", "", "a b", "a/b"])("no server name: %j", (server_name) => {
	const message = "is no host name; an address or a port is not allowed";
	expect(problemsOf({ server_name })).toEqual(at("server_name", message));
});

it("refuses a path that no file can have, and a field that is none", () => {
	expect(problemsOf({ ca: `/${"a".repeat(LIMITS.filePathCharacters)}` })).toHaveLength(1);
	expect(problemsOf({ cert: "/a" })).toEqual([expect.stringContaining("client_cert")]);
});
