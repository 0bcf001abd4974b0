/** Named classes, and classes in general, hold what RE2 says they hold: compared over Unicode. */
import { describe, expect, test } from "vitest";
import { PERL_CLASSES, POSIX_CLASSES } from "../../../src/cel/pattern/classes.ts";
import { heldByRe2, heldByUs } from "./every-code-point.ts";

const named = [
	...[...PERL_CLASSES.keys()].flatMap((name) => [`\\${name}`, `\\${name.toUpperCase()}`]),
	...[...POSIX_CLASSES.keys()].flatMap((name) => [`[[:${name}:]]`, `[[:^${name}:]]`]),
];
const written = [
	".",
	"(?s:.)",
	"[^a]",
	"[^\\n]",
	"[]a]",
	"[^]a]",
	"[a-]",
	"[-a]",
	"[+--]",
	"[\\d-z]",
	"[\\^\\]\\\\-]",
	"[a-zA-Z0-9_.~%-]",
	"[\\x00-\\x{10ffff}]",
	"[\\x{d7ff}-\\x{e000}]",
	"[\\x{ff00}-\\x{1f600}]",
	"[^😀-😂]",
	"[\\W\\d]",
	"[[:alpha:][:digit:]_]",
	"[[:x]",
	"[\\a\\f\\t\\n\\r\\v]",
	"[\\101-\\132\\07]",
];

describe("as RE2 has them", () => {
	test.each([...named, ...written])("%s", (source) => {
		expect(heldByUs(source)).toEqual(heldByRe2(source));
	});
});
