/** Locations are absolute http and https URLs, in the spelling that was written, encoded where that is needed. */
import { expect, test } from "vitest";
import { parseUrl } from "../../../../src/http/target.ts";
import { locationOf } from "../../../../src/policy/actions/redirect/location.ts";

const asked = parseUrl("https://h.example:8443/a/b?x=1");
if (asked === undefined) throw new Error("no URL");

test.each([
	["/c", "https://h.example:8443/c"],
	["", "https://h.example:8443/a/b?x=1"],
	["#f", "https://h.example:8443/a/b?x=1#f"],
	["c?y#f#g%20ü", "https://h.example:8443/a/c?y#f%23g%20%C3%BC"],
	["//o.example/p", "https://h.example:8443//o.example/p"],
	["HTTP://O.example/P", "http://o.example/P"],
	["mailto:x@y", undefined],
	["http:/x", undefined],
	["https://user@h/", undefined],
	["/a b", undefined],
])("%j", (result, location) => {
	expect(locationOf(result, asked)?.text).toBe(location);
});

test.each([
	["#f", "https://h.example:8443/a/b?x=1"],
	["/%61/./b?x=1#f", "https://h.example:8443/a/b?x=1"],
	["/A/b", "https://h.example:8443/A/b"],
	["https://H.example:443/", "https://h.example/"],
])("who follows %j asks for %s", (result, url) => {
	expect(locationOf(result, asked)?.url).toBe(url);
});
