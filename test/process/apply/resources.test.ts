/** Names, paths and the order of resources. */
import { expect, it } from "vitest";
import { inOrder, isName, keyOf, pathOf, titleOf } from "../../../src/process/apply/resources.ts";

it("go by kind and name", () => {
	const route = { kind: "route", name: "e/r", document: {} } as const;
	const edge = { kind: "edge", name: "e", document: {} } as const;
	expect(pathOf(route)).toBe("/edges/https/e/routes/r");
	expect(pathOf({ ...route, kind: "policy" })).toBe("/edges/https/e/routes/r/policy");
	expect(pathOf(edge)).toBe("/edges/https/e");
	expect(pathOf({ kind: "ip_list", name: "l" })).toBe("/ip-lists/l");
	expect([keyOf(edge), titleOf({ kind: "ip_list", name: "l" })]).toEqual([
		"edge e",
		"address list l",
	]);
	expect(inOrder([route, { ...edge, name: "f" }, edge]).map(keyOf)).toEqual([
		"edge e",
		"edge f",
		"route e/r",
	]);
	expect([isName("edge", "e"), isName("edge", "e/r"), isName("policy", "e/r")]).toEqual([
		true,
		false,
		true,
	]);
	expect([isName("route", "e"), isName("edge", ""), isName("edge", "a".repeat(129))]).toEqual([
		false,
		false,
		false,
	]);
});
