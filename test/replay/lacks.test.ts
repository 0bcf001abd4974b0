/** What is noted of lines, and what later lines turn out to hold. */
import { expect, it } from "vitest";
import { jsonEntry } from "../../src/replay/json-entry.ts";
import { Kept, Lacks, QUERY } from "../../src/replay/lacks.ts";
import { jsonLine } from "./lines.ts";

it("counts lines, each thing once, the most frequent first", () => {
	const lacks = new Lacks(new Kept());
	for (const names of [["a", "b", "a"], ["b"], []]) {
		for (const name of names) lacks.note(name, "It was taken as none.");
		expect(lacks.endLine()).toBe(names.length > 0);
	}
	lacks.isQuiet = true;
	lacks.note("c", "");
	expect(lacks.endLine()).toBe(false);
	expect(lacks.report()).toEqual([
		{ what: "b", lines: 2, effect: "It was taken as none." },
		{ what: "a", lines: 1, effect: "It was taken as none." },
	]);
});

it("forgets what a later line has, or the configuration names", () => {
	const kept = new Kept({
		...{ headers: ["x-a"], responseHeaders: [], accessQuery: false, hasPlaces: false },
	});
	const lacks = new Lacks(kept);
	expect([kept.has("request", "x-a"), kept.has("request", "x-b")]).toEqual([true, false]);
	for (const what of ["request header x-b", "response header x-b", QUERY]) lacks.note(what, "");
	lacks.endLine();
	const read = jsonEntry(jsonLine(1, { headers: { "x-b": "1" }, query: "" }));
	if (read.kind === "request") kept.see(read.entry);
	expect(lacks.report().map(({ what }) => what)).toEqual(["response header x-b"]);
});
