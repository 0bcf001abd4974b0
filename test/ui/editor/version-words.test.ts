/** Words about versions. */
import { expect, it } from "vitest";
import { whenOf, whoOf } from "../../../ui/editor/version-words.ts";

it("name the moment and the key, as far as they are known", () => {
	expect(whenOf({ created_at: "2026-01-31T12:00:00.000Z" })).toMatch(
		/^(?:30|31) Jan 2026, \d\d:\d\d:00$/,
	);
	expect(whenOf({ created_at: null })).toBe("before versions were kept");
	expect(whoOf({ key_id: "key_1", key_name: "ci" })).toBe("ci");
	expect(whoOf({ key_id: "key_1", key_name: "" })).toBe("key_1");
	expect(whoOf({ key_id: null, key_name: null })).toBe("–");
});
