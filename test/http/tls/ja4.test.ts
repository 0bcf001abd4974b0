/** Published pairs of JA4 and its raw form, and the marks where a list is empty. */
import { expect, it } from "vitest";
import { ja4Of } from "../../../src/http/tls/ja4.ts";

const CHROME_SUITES = "002f,0035,009c,009d,1301,1302,1303,c013,c014,c02b,c02c,c02f,c030,cca8,cca9";
const CHROME_EXTENSIONS = "0005,000a,000b,000d,0012,0015,0017,001b,0023,002b,002d,0033,4469,ff01";
const CHROME_SIGNATURES = "0403,0804,0401,0503,0805,0501,0806,0601";
const OPENSSL_SUITES =
	"002f,0033,0035,0039,003c,003d,0067,006b,009c,009d,009e,009f,00ff,1301,1302,1303,c009,c00a,c013,c014,c023,c024,c027,c028,c02b,c02c,c02f,c030,cca8,cca9,ccaa";

it.each([
	[
		"the definition's example",
		`t13d1516h2_${CHROME_SUITES}_${CHROME_EXTENSIONS}_${CHROME_SIGNATURES}`,
		"t13d1516h2_8daaf6152771_e5627efa2ab1",
	],
	[
		"the definition's example without signature algorithms",
		`t13d1516h2_${CHROME_SUITES}_${CHROME_EXTENSIONS}`,
		"t13d1516h2_8daaf6152771_6d807ffa2a79",
	],
	[
		"a capture of FoxIO's with GREASE among the signature algorithms",
		`t13d1517h2_${CHROME_SUITES}_0005,000a,000b,000d,0012,0017,001b,0023,002b,002d,0033,44cd,ca34,fe0d,ff01_0904,0905,0906,0403,0804,0401,0503,0805,0501,0806,0601`,
		"t13d1517h2_8daaf6152771_cb7bf5808d99",
	],
	[
		"a site that shows visitors theirs",
		"t13d1011h2_00ff,1301,1302,1303,c02b,c02c,c02f,c030,cca8,cca9_0005,000a,000b,000d,0017,0023,002b,002d,0033_0503,0403,0807,0806,0805,0804,0601,0501,0401",
		"t13d1011h2_61a7ad8aa9b6_3fcd1a44f3e3",
	],
	[
		"curl with OpenSSL 3",
		`t13d3112h2_${OPENSSL_SUITES}_000a,000b,000d,0015,0016,0017,002b,002d,0031,0033_0403,0503,0603,0807,0808,0809,080a,080b,0804,0805,0806,0401,0501,0601,0303,0301,0302,0402,0502,0602`,
		"t13d3112h2_e8f1e7e78f70_b26ce05bbdd6",
	],
])("%s", (_of, raw, fingerprint) => {
	expect(ja4Of(raw)).toBe(fingerprint);
});

it("has zeros in the place of a list that is empty", () => {
	expect(ja4Of("t12i000000__")).toBe("t12i000000_000000000000_000000000000");
	expect(ja4Of(`t13d1502h2_${CHROME_SUITES}_`)).toBe("t13d1502h2_8daaf6152771_000000000000");
});

it("is of nothing where there is no raw form", () => {
	expect(ja4Of("")).toBeUndefined();
});
