/** Which name of today an unknown one is answered with. */
import { expect, test } from "vitest";
import { todaysName } from "../../../src/cel/check/old-names.ts";
import { VARIABLES } from "../../../src/cel/check/variables.ts";

test.each([
	["req.URL", "req.url"],
	["req.Headers", "req.headers"],
	["req.ContentLength", "req.content_length"],
	["req.ClientTLS.Version", "conn.tls.version"],
	["req.ClientTLS.Cert.Subject.CommonName", "conn.tls"],
	["req.client_tls", "conn.tls"],
	["req.client_tls.anything", "conn.tls"],
	["conn.ClientTLS.Version", "conn.tls.version"],
	["request.methd", "req.method"],
	["conn.ClientIP", "conn.client_ip"],
	["conn.Geo.CountryCode", "conn.geo.country_code"],
	["res.StatusCode", "res.status_code"],
	["Req.Method", "req.method"],
	["req.path", "req.url.path"],
	["req.query_params", "req.url.query_params"],
	["req.client_ip", "conn.client_ip"],
	["request.method", "req.method"],
	["reqq.method", "req.method"],
	["zzz.zzz", undefined],
])("%s", (old, today) => {
	expect(todaysName(old.split("."))?.name).toBe(today);
});

test("every variable in PascalCase is answered with itself", () => {
	const pascal = (part: string): string =>
		part.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
	for (const name of VARIABLES.keys()) {
		const [root = "", ...rest] = name.split(".");
		// what actions leave came with today's names
		if (rest.length === 0) continue;
		expect(todaysName([root, ...rest.map(pascal)])).toMatchObject({ name, certain: true });
	}
});
