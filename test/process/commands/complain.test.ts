/** A command's last words: each sentence on a line of its own, with the program's name, on stderr. */
import { expect, it, vi } from "vitest";
import { complain } from "../../../src/process/commands/complain.ts";

it("writes each sentence and hands the status on", () => {
	const lines: unknown[] = [];
	const write = vi.spyOn(process.stderr, "write").mockImplementation((line) => {
		lines.push(line);
		return true;
	});
	try {
		expect([complain("one", 1), complain(["two", "three"], 2)]).toEqual([1, 2]);
	} finally {
		write.mockRestore();
	}
	expect(lines).toEqual(["weir: one\n", "weir: two\n", "weir: three\n"]);
});
