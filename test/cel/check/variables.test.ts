/** The variables of contract 4, by name and type, each readable. */
import { expect, test } from "vitest";
import { NAMESPACES, VARIABLES } from "../../../src/cel/check/variables.ts";
import { resultOf, typeOf } from "../sources.ts";

const CONTRACT: Readonly<Record<string, readonly string[]>> = {
	string: [
		..."req.method req.host req.version req.location req.url req.content_type req.content_type.raw".split(
			" ",
		),
		..."req.user_agent req.user_agent.raw req.url.scheme req.url.host req.url.authority".split(" "),
		..."req.url.path req.url.raw_path req.url.query req.url.uri req.url.raw".split(" "),
		..."conn.client_ip conn.server_ip conn.tls.version conn.tls.sni conn.tls.cipher_suite".split(
			" ",
		),
		..."conn.tls.negotiated_alpn conn.geo.country_code conn.geo.country conn.geo.city".split(" "),
		..."conn.geo.latitude conn.geo.longitude conn.geo.subdivision".split(" "),
		..."res.content_type res.content_type.raw res.location edge.id route.id".split(" "),
		..."endpoint.id endpoint.host endpoint.protocol endpoint.url".split(" "),
	],
	int: [
		..."req.content_length req.url.port conn.client_port conn.server_port".split(" "),
		..."conn.bytes_in conn.bytes_out res.status_code res.content_length endpoint.port".split(" "),
	],
	timestamp: ["req.ts.header_received", "conn.ts.start", "time.now"],
	"list<string>": ["req.content_encoding", "res.content_encoding"],
	"map<string, string>": ["req.content_type.parameters", "res.content_type.parameters"],
	"map<string, list<string>>": [
		..."req.headers res.headers req.trailers res.trailers req.url.query_params".split(" "),
	],
	"map<string, dyn>": ["actions", "vars"],
	"map<string, list<cookie>>": ["req.cookies"],
	"map<string, list<set_cookie>>": ["res.cookies"],
};

test("the table has the variables of the contract and no other", () => {
	expect([...VARIABLES.keys()].toSorted()).toEqual(Object.values(CONTRACT).flat().toSorted());
});

test.each(Object.entries(CONTRACT).flatMap(([type, names]) => names.map((name) => [name, type])))(
	"%s is %s, and can be read",
	(name = "", type = "") => {
		expect(typeOf(name)).toBe(type);
		expect(resultOf(name)).not.toContain("failure");
		expect(typeOf(name, "inbound")).toBe(name.startsWith("res.") ? "wrong_phase" : type);
	},
);

test("groups know their members", () => {
	expect(NAMESPACES.get("conn")).toEqual([
		..."client_ip client_port server_ip server_port bytes_in bytes_out ts tls geo".split(" "),
	]);
});
