/** The list of countries is whole: as many as ISO 3166-1 has, and all that the runtime knows a name of. */
import { expect, test } from "vitest";
import { COUNTRY_CODES, MEANT_COUNTRIES } from "../../../src/policy/lint/country-codes.ts";

test("249 countries and Kosovo, each with a name", () => {
	const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
	expect(COUNTRY_CODES.size).toBe(250);
	for (const code of COUNTRY_CODES) expect(names.of(code), code).toBeDefined();
});

test("what is meant is one of them, what is written is none", () => {
	for (const [written, meant] of Object.entries(MEANT_COUNTRIES)) {
		expect(COUNTRY_CODES.has(written), written).toBe(false);
		expect(COUNTRY_CODES.has(meant), meant).toBe(true);
	}
});
