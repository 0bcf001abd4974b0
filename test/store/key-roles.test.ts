/** The order of roles: each may do what those behind it may. */
import { expect, it } from "vitest";
import { KEY_ROLES, roleSuffices } from "../../src/store/key-roles.ts";

it("admin may read, read may ask for metrics, and not the other way round", () => {
	const table = KEY_ROLES.map((role) => KEY_ROLES.map((needed) => roleSuffices(role, needed)));
	expect(table).toEqual([
		[true, true, true],
		[false, true, true],
		[false, false, true],
	]);
});
