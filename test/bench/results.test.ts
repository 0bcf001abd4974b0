/** A record of a bench replaces the last one of its claim, and leaves alone what people wrote about it. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";

const file = join(import.meta.dirname, "..", "..", "bench", "results.mjs");
const { withSection }: { withSection: (results: string, title: string, text: string) => string } =
	await import(pathToFileURL(file).href);

const RESULTS = "# Results\n\n## A\n\n- old\n\n### Reading\n\n- kept\n\n## B\n\n- b\n";

it("in its place, with what stands below Reading", () => {
	expect(withSection(RESULTS, "A", "\n## A\n\n- new\n")).toBe(
		"# Results\n\n## A\n\n- new\n\n### Reading\n\n- kept\n\n## B\n\n- b\n",
	);
});

it("the last section too, whose neighbour's reading is not its own", () => {
	const results = withSection(RESULTS, "B", "\n## B\n\n- new\n");
	expect(results).toBe(RESULTS.replace("- b\n", "- new\n"));
	expect(withSection(results, "B", "\n## B\n\n- b\n")).toBe(RESULTS);
});

it("a new claim comes behind all others", () => {
	expect(withSection(RESULTS, "C", "\n## C\n\n- c\n")).toBe(`${RESULTS}\n## C\n\n- c\n`);
});
