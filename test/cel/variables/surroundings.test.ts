/** The endpoint's URL is put together of its parts. */
import { expect, test } from "vitest";
import { endpointUrl } from "../../../src/cel/variables/surroundings.ts";
import { ATTRIBUTES } from "../attributes.ts";

test("an endpoint's URL has a port where it is not the scheme's own", () => {
	const urlOf = (endpointProtocol: string, endpointPort: number): string =>
		endpointUrl({ ...ATTRIBUTES, endpointProtocol, endpointPort, endpointHost: "h" });
	expect(urlOf("https", 443)).toBe("https://h");
	expect(urlOf("http", 80)).toBe("http://h");
	expect(urlOf("https", 80)).toBe("https://h:80");
});
