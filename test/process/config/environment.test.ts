/** Which variables weir reads: those that docs/configuration.md tells of, and no other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { API_KEY_VARIABLE, VARIABLES } from "../../../src/process/config/environment.ts";

const paper = join(import.meta.dirname, "..", "..", "..", "docs", "configuration.md");

it("are those of the paper, each once", () => {
	const told = new Set(readFileSync(paper, "utf8").match(/\bWEIR_[A-Z_]+/g));
	expect(VARIABLES.toSorted()).toEqual([...told].sort());
	expect(VARIABLES).toContain(API_KEY_VARIABLE);
});
