/** Lines are changed one after the other: what is removed was there before, what is added later stays. */
import { expect, it } from "vitest";
import { HeaderList } from "../../../src/policy/rehearsal/header-list.ts";

it("reads names in any case, and keeps the order of lines", () => {
	const list = new HeaderList([
		["X-A", "1"],
		["b", "2"],
		["x-a", "3"],
	]);
	expect(list.lines("x-a")).toEqual(["1", "3"]);
	expect(list.lines("none")).toEqual([]);
	expect(list.names()).toEqual(["x-a", "b"]);
	expect(list.count).toBe(3);
	expect(list.bytes).toBe(3 * 4 + 3 + 1 + 3 + 3);
});

it("removes by name and by beginning, never what frames a message", () => {
	const list = new HeaderList([
		["x-a", "1"],
		["x-b", "2"],
		["y", "3"],
		["content-length", "4"],
	]);
	expect(list.thereOf(["x-*", "content-length"])).toEqual(["x-a", "x-b"]);
	expect(list.remove(["x-*", "content-length", "z"])).toEqual(["x-a", "x-b"]);
	list.add([["X-A", "5"]]);
	expect(list.lines("x-a")).toEqual(["5"]);
	expect(list.names()).toEqual(["y", "content-length", "x-a"]);
	list.set("y", "6");
	expect(list.lines("y")).toEqual(["6"]);
});
