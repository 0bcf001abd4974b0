import { expect, it } from "vitest";
import { formOf, NOTHING_ASKED, questionOf } from "../../../ui/editor/asked.ts";

it("makes a question of the form, with the document that is being written", () => {
	const form = { ...NOTHING_ASKED, headers: "x-a: 1\n\n X-B : 2:3\nx-a: 4" };
	const question = questionOf(form, '{"inbound":[]}');
	expect("body" in question && JSON.parse(question.body)).toEqual({
		request: {
			...{ method: "GET", url: "http://example.com/", client_ip: "127.0.0.1" },
			headers: { "x-a": ["1", "4"], "X-B": ["2:3"] },
		},
		policy: { inbound: [] },
	});
});

it("says what is wrong with either", () => {
	expect(questionOf({ ...NOTHING_ASKED, headers: "nothing" }, "{}")).toMatchObject({
		mistake: expect.stringContaining("no header field"),
	});
	expect(questionOf(NOTHING_ASKED, "{")).toMatchObject({
		mistake: expect.stringContaining("not valid JSON"),
	});
});

it("begins with what a link brings along", () => {
	expect(formOf({})).toEqual(NOTHING_ASKED);
	expect(formOf({ method: "PUT", url: "http://a/", ip: "::1" })).toEqual({
		...NOTHING_ASKED,
		...{ method: "PUT", url: "http://a/", clientIp: "::1" },
	});
});
