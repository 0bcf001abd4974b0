/** Cookies: names and values of requests, attributes of responses. */
import { type CelMap, isCelList, isCelMap } from "@bufbuild/cel";
import { expect, test } from "vitest";
import { requestCookies, responseCookies } from "../../src/cel/cookies.ts";
import { headerLines } from "./attributes.ts";
import { described } from "./values.ts";

const fields = (cookies: CelMap, name: string): string => described(cookies.get(name));

test("a request's cookies, in order, over all lines", () => {
	const cookies = requestCookies(
		headerLines([
			["cookie", 'a=1; b="2"; a=3;; =x; flag; c=x=y'],
			["cookie", " d = 4 "],
		]),
	);
	expect([...cookies.keys()]).toEqual(["a", "b", "flag", "c", "d"]);
	const named = (name: string, value: string): string =>
		`{string "name": string "${name}", string "value": string "${value}"}`;
	expect(fields(cookies, "a")).toBe(`[${named("a", "1")}, ${named("a", "3")}]`);
	expect(fields(cookies, "b")).toBe(`[${named("b", "2")}]`);
	expect(fields(cookies, "flag")).toBe(`[${named("flag", "")}]`);
	expect(fields(cookies, "c")).toBe(`[${named("c", "x=y")}]`);
	expect(fields(cookies, "d")).toBe(`[${named("d", "4")}]`);
	expect(fields(cookies, "A")).toBe("[]");
	expect(cookies.has("A")).toBe(false);
});

test("a response's cookie has its attributes, and empty ones where it has none", () => {
	const cookies = responseCookies(
		headerLines([
			["set-cookie", "id=1; path=/a; DOMAIN=example.com; Expires=Wed, 21 Oct 2015 07:28:00 GMT"],
			["set-cookie", "max=2; Max-Age=-5; Secure; HttpOnly; SameSite=Strict; Unknown=1"],
			["set-cookie", "bad=3; max-age=soon"],
		]),
	);
	const get = (name: string, field: string): unknown => {
		const list = cookies.get(name);
		const cookie = isCelList(list) ? list.get(0) : undefined;
		return isCelMap(cookie) ? cookie.get(field) : undefined;
	};
	expect(get("id", "path")).toBe("/a");
	expect(get("id", "domain")).toBe("example.com");
	expect(get("id", "expires")).toBe("Wed, 21 Oct 2015 07:28:00 GMT");
	expect(get("id", "max_age")).toBe(0n);
	expect(get("id", "secure")).toBe(false);
	expect(get("max", "max_age")).toBe(-5n);
	expect(get("max", "secure")).toBe(true);
	expect(get("max", "http_only")).toBe(true);
	expect(get("max", "same_site")).toBe("Strict");
	expect(get("bad", "max_age")).toBe(0n);
});
