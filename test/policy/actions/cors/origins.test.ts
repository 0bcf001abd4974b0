/** Origins are allowed whole, below a host, or all; nothing that only looks like one is. */
import { expect, test } from "vitest";
import { Origins, originMistake } from "../../../../src/policy/actions/cors/origins.ts";

test.each([
	"*",
	"null",
	"https://a.example",
	"http://localhost:3000",
	"https://*.a.example",
	"http://[::1]:80801",
])("%s", (origin) => {
	expect(originMistake(origin) === undefined).toBe(origin !== "http://[::1]:80801");
});

test.each([
	"",
	"a.example",
	"https://a.example/",
	"https://a.example:443",
	"https://*",
	"https://a.*",
	"https://*.*.b",
	"https://u@a.example",
	"ftp://a.example",
])("%j is none", (origin) => {
	expect(originMistake(origin)).toMatch(/is no origin; write "https:/);
});

const origins = new Origins([
	"https://Shop.example",
	"https://*.shop.example",
	"http://localhost:3000",
]);
test.each([
	["https://shop.example", true],
	["https://SHOP.example", true],
	["https://a.b.shop.example", true],
	["http://localhost:3000", true],
	["http://localhost", false],
	["https://.shop.example", false],
	["https://a..shop.example", false],
	["https://evil.example/.shop.example", false],
	["https://evil.example#.shop.example", false],
	["https://u:p@x.shop.example", false],
	["https://xshop.example", false],
	["https://shop.example.evil.example", false],
	["http://shop.example", false],
	["null", false],
	["", false],
])("%s: %s", (origin, allowed) => {
	expect(origins.all).toBe(false);
	expect(origins.allows(origin)).toBe(allowed);
});

test("* is for all", () => {
	const all = new Origins(["https://a.example", "*"]);
	expect([all.all, all.allows("null"), all.allows("https://b.example")]).toEqual([
		true,
		true,
		true,
	]);
});
