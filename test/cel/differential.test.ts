/**
 * The evaluator held against the oracle: expressions made at random over exchanges made at random yield
 * the same values and fail in the same places. `DIFFERENTIAL_CASES` and `DIFFERENTIAL_SEED` for more.
 */
import { expect, test } from "vitest";
import type { Attributes } from "../../src/cel/attributes.ts";
import { Generator, TYPES } from "./generator.ts";
import { attributesOf } from "./generator-attributes.ts";
import { pick, randomFrom } from "./generator-random.ts";
import { agree, isFailure, isTooLong, oracleRunOf, runOf } from "./generator-run.ts";
import { shrunk, type Term, written } from "./generator-term.ts";
import { DIFFERENCES } from "./oracle/differences.ts";

const CASES = Number(process.env.DIFFERENTIAL_CASES ?? 12_000);
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1);
/** exchanges that each expression is evaluated over */
const EXCHANGES = 5;
const DISAGREEMENTS_SHOWN = 12;

/** Undefined if both agree, or if one of them has nothing to say. */
function disagreement(term: Term, attributes: Attributes): string | undefined {
	const run = runOf(written(term, "weir"));
	if (typeof run !== "function") return undefined;
	const ours = run(attributes);
	const oracle = oracleRunOf(written(term, "oracle"))(attributes);
	return isTooLong(ours) || agree(ours, oracle)
		? undefined
		: `${written(term, "weir")}\n  ours:   ${ours}\n  oracle: ${oracle}`;
}

/** @param found what `disagreement` tells */
const known = (found: string): boolean =>
	DIFFERENCES.some(
		({ source, oracle }) =>
			source.test(found.slice(0, found.indexOf("\n"))) &&
			(oracle === undefined || oracle.test(found.slice(found.lastIndexOf("\n")))),
	);

test("expressions made at random yield what the oracle says", () => {
	const counts = { yielded: 0, failed: 0, refused: 0, known: 0 };
	const disagreements = new Set<string>();
	for (let index = 0; index < CASES / EXCHANGES; index++) {
		if (disagreements.size >= DISAGREEMENTS_SHOWN) break;
		const random = randomFrom(SEED * 1_000_003 + index);
		const term = new Generator(random).term(pick(random, TYPES), 1 + (index % 5));
		const run = runOf(written(term, "weir"));
		if (typeof run !== "function") {
			counts.refused++;
			continue;
		}
		const oracle = oracleRunOf(written(term, "oracle"));
		for (let exchange = 0; exchange < EXCHANGES; exchange++) {
			const attributes = attributesOf(random);
			const ours = run(attributes);
			counts[isFailure(ours) ? "failed" : "yielded"]++;
			if (isTooLong(ours) || agree(ours, oracle(attributes))) continue;
			const smallest = shrunk(term, (each) => disagreement(each, attributes) !== undefined);
			const found = disagreement(smallest, attributes);
			if (found === undefined || known(found)) counts.known++;
			else disagreements.add(found);
			break;
		}
	}
	expect([...disagreements].join("\n\n")).toBe("");
	expect(counts.yielded).toBeGreaterThan(CASES / 3);
}, 0);
