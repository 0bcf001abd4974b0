/** Address lists as clients write them: one spelling in one order, and every mistake told with its place. */
import { describe, expect, it } from "vitest";
import {
	changedEntries,
	entriesIn,
	entriesText,
	ipListChangeOf,
	ipListOf,
} from "../../src/store/ip-lists.ts";

const problemsOf = (checked: ReturnType<typeof ipListOf> | ReturnType<typeof ipListChangeOf>) =>
	checked.ok ? [] : checked.error.map(({ path, code }) => `${path.join("/")} ${code}`);

describe("a list", () => {
	it("has each entry once, in one spelling and in order", () => {
		const entries = ["2001:DB8:0::/32", "10.0.0.0/8", "::ffff:192.0.2.7", "192.0.2.7/32", "::1"];
		expect(ipListOf({ entries })).toEqual({
			ok: true,
			value: {
				description: "",
				entries: ["10.0.0.0/8", "192.0.2.7", "::1", "2001:db8::/32"],
			},
		});
		expect(ipListOf({ entries: [], description: "nobody" })).toMatchObject({ ok: true });
	});

	it.each<[unknown, string[]]>([
		[{}, ["entries required"]],
		[[], [" wrong_type"]],
		[{ entries: "10.0.0.0/8" }, ["entries wrong_type"]],
		[{ entries: [5, null] }, ["entries/0 wrong_type", "entries/1 wrong_type"]],
		[
			{ entries: ["10.0.0.0/8", "10.1.2.3/8", "office"] },
			["entries/1 invalid_address", "entries/2 invalid_address"],
		],
		[{ entries: Array.from({ length: 100_001 }, () => "::1") }, ["entries too_big"]],
		[{ entries: [], description: "ä".repeat(128) }, ["description too_big"]],
		[{ entries: [], note: "" }, ["note unknown_field"]],
	])("%j is refused", (value, problems) => {
		expect(problemsOf(ipListOf(value))).toEqual(problems);
	});
});

describe("a change", () => {
	it("adds and removes entries however they are spelled", () => {
		const change = ipListChangeOf({ add: ["9.0.0.0/8", "::1"], remove: ["10.0.0.1/32", "::2"] });
		if (!change.ok) throw new Error("refused");
		expect(changedEntries(["10.0.0.1", "10.0.0.2", "::1"], change.value)).toEqual([
			"9.0.0.0/8",
			"10.0.0.2",
			"::1",
		]);
	});

	it.each<[unknown, string[]]>([
		[{ add: ["x"], remove: ["10.0.0.1/8"] }, ["add/0 invalid_address", "remove/0 invalid_address"]],
		[{ add: ["::1"], remove: ["0::1"] }, ["remove contradiction"]],
		[{ added: [] }, ["added unknown_field"]],
	])("%j is refused", (value, problems) => {
		expect(problemsOf(ipListChangeOf(value))).toEqual(problems);
	});
});

it("stands in the store as one text", () => {
	for (const entries of [[], ["::1"], ["10.0.0.0/8", "::1"]])
		expect(entriesIn(entriesText(entries))).toEqual(entries);
});
