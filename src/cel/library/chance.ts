/**
 * `rand`, the functions that yield something else each time (contract 4, "Functions"). What asks for chance is
 * neither folded nor asked twice, wherever `asksForChance` is looked at. Joined by `table.ts`.
 */
import { EvaluationFailure } from "../expression.ts";
import type { FunctionDefinition } from "./definition.ts";

/** Both ends included. */
function randomInt(min: bigint, max: bigint): bigint {
	if (min > max) throw new EvaluationFailure(`rand.int: ${min} is above ${max}`);
	const range = max - min + 1n;
	// 53 bits of chance, twice: enough for every range of 64 bits
	const high = BigInt(Math.floor(Math.random() * 2 ** 53));
	const low = BigInt(Math.floor(Math.random() * 2 ** 53));
	return min + ((((high << 53n) | low) * range) >> 106n);
}

export const CHANCE: readonly FunctionDefinition[] = [
	{
		name: "rand.double",
		doc: "A random number from 0 up to 1, another one each time: `rand.double() < 0.05` holds for one request in twenty.",
		examples: [["rand.double() < 1.0", "true"]],
		overloads: {
			"rand.double() -> double": { call: () => Math.random(), fails: false, resultSize: () => 1 },
		},
		asksForChance: true,
	},
	{
		name: "rand.int",
		doc: "A random int between two, both included. Fails if the first is above the second.",
		examples: [["rand.int(1, 6) in [1, 2, 3, 4, 5, 6]", "true"]],
		overloads: {
			"rand.int(int, int) -> int": {
				call: randomInt,
				fails: true,
				cost: () => 1000,
				resultSize: () => 1,
			},
		},
		asksForChance: true,
	},
];
