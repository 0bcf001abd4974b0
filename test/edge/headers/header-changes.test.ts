/** Changes of headers: in order, in one pass over the text, and never those that a message needs. */
import { expect, test } from "vitest";
import { HeaderChanges } from "../../../src/edge/headers/header-changes.ts";

const TEXT = "host: h\r\nx-a: 1\r\nX-Internal-Role: admin\r\nvia: 1.1 weir\r\nx-a: 2\r\n";
const { NONE } = HeaderChanges;

test.each([
	[["x-a"], "host: h\r\nX-Internal-Role: admin\r\nvia: 1.1 weir\r\n"],
	[["x-internal-*"], "host: h\r\nx-a: 1\r\nvia: 1.1 weir\r\nx-a: 2\r\n"],
	[["*"], "host: h\r\nvia: 1.1 weir\r\n"],
	[["x"], TEXT],
	[["host", "via"], TEXT],
])("removing %j", (names, left) => {
	expect(NONE.removing(names).without(TEXT)).toBe(left);
	expect(NONE.removing(names).without("")).toBe("");
});

test("what is removed after it was added is gone, what is added after it was removed stays", () => {
	const added = NONE.adding([
		["X-A", "1"],
		["x-b", "2"],
	]);
	expect(added.removing(["x-a"]).added).toEqual([["x-b", "2"]]);
	const again = added.removing(["x-*"]).adding([["x-a", "3"]]);
	expect(again.added).toEqual([["x-a", "3"]]);
	expect(again.without(TEXT)).not.toContain("x-a");
	expect(added.added).toHaveLength(2);
});

test("a removal takes away what was there before it, not what an earlier removal has made room for", () => {
	const replaced = NONE.removing(["x-a", "access-control-*"]).adding([
		["x-a", "3"],
		["access-control-allow-origin", "*"],
	]);
	for (const names of [[], ["x-b"], ["other-*"]]) {
		const later = replaced.removing(names);
		expect(later.added).toEqual(replaced.added);
		expect(later.without(TEXT)).not.toContain("x-a");
	}
	expect(replaced.removing(["access-*"]).added).toEqual([["x-a", "3"]]);
});

test("counts what it adds", () => {
	expect(NONE.addedBytes).toBe(0);
	expect(NONE.adding([["x-a", "1"]]).addedBytes).toBe("x-a: 1\r\n".length);
});
