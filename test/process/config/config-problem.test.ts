/** A problem as the one sentence that `serve` prints. */
import { expect, it } from "vitest";
import { sentenceOf } from "../../../src/process/config/config-problem.ts";

const position = { line: 2, column: 3 };

it.each([
	[{ pointer: "/a/b", position, message: "m" }, "F:2:3: /a/b: m"],
	[{ pointer: "", position, message: "m" }, "F:2:3: /: m"],
	[{ position, message: "m" }, "F:2:3: m"],
	[{ message: "m" }, "F: m"],
	[{ source: "--listen", message: "m" }, "--listen: m"],
	// A default is at fault, so the file has no place.
	[{ pointer: "/a/b", message: "m" }, "a/b: m"],
])("%j", (problem, sentence) => {
	expect(sentenceOf(problem, "F")).toBe(sentence);
});

it("names no file where there is none", () => {
	expect(sentenceOf({ pointer: "/data_dir", message: "m" }, undefined)).toBe("data_dir: m");
	expect(sentenceOf({ message: "m" }, undefined)).toBe("m");
});
