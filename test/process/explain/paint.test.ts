/** What others wrote can't move a terminal's cursor, nor turn its lines around. */
import { expect, it } from "vitest";
import { paintFor, printable } from "../../../src/process/explain/paint.ts";

it("shows control characters and turns of direction as escapes", () => {
	expect(printable("\u001b[2Jä\u009b\u202e\u2066\n")).toBe("\\x1b[2Jä\\x9b\\u202e\\u2066⏎");
});

it("has colours on a terminal only, and not against NO_COLOR", () => {
	expect(paintFor({ isTTY: true }, {}).bad("a")).toBe("\u001b[31ma\u001b[0m");
	expect(paintFor({ isTTY: true }, { NO_COLOR: "1" }).bad("a")).toBe("a");
	expect(paintFor({}, {}).bad("a")).toBe("a");
});
