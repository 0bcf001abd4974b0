/** Expressions read a changed header as it will be sent. */
import { expect, test } from "vitest";
import { ChangedLines } from "../../../src/edge/headers/changed-lines.ts";
import { HeaderChanges } from "../../../src/edge/headers/header-changes.ts";
import { FlatHeaders } from "../../../src/edge/request/header-lines.ts";

const own = new FlatHeaders(["host", "h", "x-a", "1", "x-b", "2", "x-a", "3"]);

test("lines that were added come behind the others, those removed are not there", () => {
	const changes = HeaderChanges.NONE.removing(["x-b"]).adding([
		["X-A", "4"],
		["x-new", "5"],
	]);
	const lines = new ChangedLines(own, changes);
	expect(lines.lines("x-a")).toEqual(["1", "3", "4"]);
	expect(lines.lines("x-b")).toEqual([]);
	expect(lines.lines("x-new")).toEqual(["5"]);
	expect([...lines.names()].sort()).toEqual(["host", "x-a", "x-new"]);
});

test("another host takes the place of the message's", () => {
	const lines = new ChangedLines(own, HeaderChanges.NONE, "new.example");
	expect(lines.lines("host")).toEqual(["new.example"]);
	expect(lines.names()).toContain("host");
});
