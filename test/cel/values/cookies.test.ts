/** Cookies: names and values of requests, attributes of responses. */
import { expect, test } from "vitest";
import { BUDGET } from "../../../src/cel/budget.ts";
import {
	NO_COOKIE,
	NO_SET_COOKIE,
	requestCookies,
	responseCookies,
} from "../../../src/cel/values/cookies.ts";
import { isList } from "../../../src/cel/values/types.ts";
import { RecordValue, type ValueMap } from "../../../src/cel/values/value.ts";
import { headerLines } from "../attributes.ts";

/** Fields of all cookies of a name. */
function fields(cookies: ValueMap, name: string): unknown[] {
	const list = cookies.get(name);
	if (list === undefined || !isList(list)) throw new Error("no list");
	return list.map((cookie) => (cookie instanceof RecordValue ? cookie.fields : "no cookie"));
}

test("a request's cookies, in order, over all lines", () => {
	const cookies = requestCookies(
		headerLines([
			["cookie", 'a=1; b="2"; a=3;; =x; flag; c=x=y'],
			["cookie", " d = 4 "],
		]),
	);
	expect(cookies.keys()).toEqual(["a", "b", "flag", "c", "d"]);
	expect(fields(cookies, "a")).toEqual([
		{ name: "a", value: "1" },
		{ name: "a", value: "3" },
	]);
	expect(fields(cookies, "b")).toEqual([{ name: "b", value: "2" }]);
	expect(fields(cookies, "flag")).toEqual([{ name: "flag", value: "" }]);
	expect(fields(cookies, "c")).toEqual([{ name: "c", value: "x=y" }]);
	expect(fields(cookies, "d")).toEqual([{ name: "d", value: "4" }]);
	expect(fields(cookies, "A")).toEqual([]);
	expect(cookies.has("A")).toBe(false);
});

const UNSET = {
	name: "",
	value: "",
	path: "",
	domain: "",
	expires: "",
	max_age: 0n,
	secure: false,
	http_only: false,
	same_site: "",
};

test("a response's cookie has its attributes, and empty ones where it has none", () => {
	const cookies = responseCookies(
		headerLines([
			["set-cookie", "id=1; path=/a; DOMAIN=example.com; Expires=Wed, 21 Oct 2015 07:28:00 GMT"],
			["set-cookie", "max=2; Max-Age=-5; Secure; HttpOnly; SameSite=Strict; Unknown=1"],
			["set-cookie", "bad=3; max-age=soon; constructor=1"],
			["set-cookie", "; secure"],
		]),
	);
	expect(cookies.keys()).toEqual(["id", "max", "bad"]);
	expect(fields(cookies, "id")).toEqual([
		{
			...UNSET,
			name: "id",
			value: "1",
			path: "/a",
			domain: "example.com",
			expires: "Wed, 21 Oct 2015 07:28:00 GMT",
		},
	]);
	expect(fields(cookies, "max")).toEqual([
		{
			...UNSET,
			name: "max",
			value: "2",
			max_age: -5n,
			secure: true,
			http_only: true,
			same_site: "Strict",
		},
	]);
	expect(fields(cookies, "bad")).toEqual([{ ...UNSET, name: "bad", value: "3" }]);
});

test("a cookie that is not there is empty", () => {
	expect(NO_COOKIE.fields).toEqual({ name: "", value: "" });
	expect(NO_SET_COOKIE.fields).toEqual(UNSET);
});

test("what is parsed is paid for", () => {
	const line = "a=b; ".repeat(1000);
	for (const cookies of [
		requestCookies(headerLines([["cookie", line]])),
		responseCookies(headerLines([["set-cookie", line]])),
	]) {
		BUDGET.left = 1000;
		try {
			expect(() => cookies.get("a")).toThrow("takes too long");
		} finally {
			BUDGET.left = Number.POSITIVE_INFINITY;
		}
		expect(cookies.has("a")).toBe(true);
	}
});
