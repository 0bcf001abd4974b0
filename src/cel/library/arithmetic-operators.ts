/** `+ - * / %` (CEL specification, "Standard Definitions"). Joined by `operators.ts`. */
import { addition, arithmetic } from "../cost/operators.ts";
import type { OperatorDefinition } from "./operator-definition.ts";
import { always, unlessDoubles } from "./operator-failures.ts";

const NUMBERS = ["(int, int) -> int", "(uint, uint) -> uint", "(double, double) -> double"];

export const ARITHMETIC: readonly OperatorDefinition[] = [
	{
		name: "_+_",
		written: "a + b",
		doc: "The sum of numbers of one type, or of times; texts, bytes and lists put together. Ints fail beyond 64 bits; an int and a double have no sum, `double(a) + b` has.",
		examples: [
			["req.url.port + 1", "444"],
			["'/' + route.id", "'/orders'"],
			["[1] + [2]", "[1, 2]"],
		],
		signatures: [
			...NUMBERS,
			"(string, string) -> string",
			"(bytes, bytes) -> bytes",
			"(list<A>, list<A>) -> list<A>",
			"(duration, duration) -> duration",
			"(duration, timestamp) -> timestamp",
			"(timestamp, duration) -> timestamp",
		],
		mayFail: unlessDoubles,
		neverNull: true,
		estimate: addition,
	},
	{
		name: "_-_",
		written: "a - b",
		doc: "The difference of numbers of one type, or of times: two timestamps have a duration between them.",
		examples: [["time.now - req.ts.header_received < duration('1s')", "true"]],
		signatures: [
			...NUMBERS,
			"(duration, duration) -> duration",
			"(timestamp, duration) -> timestamp",
			"(timestamp, timestamp) -> duration",
		],
		mayFail: unlessDoubles,
		neverNull: true,
		estimate: arithmetic,
	},
	{
		name: "_*_",
		written: "a * b",
		doc: "The product of numbers of one type.",
		examples: [["5 * 1024", "5120"]],
		signatures: NUMBERS,
		mayFail: unlessDoubles,
		estimate: arithmetic,
	},
	{
		name: "_/_",
		written: "a / b",
		doc: "The quotient of numbers of one type; of ints rounded towards zero. Ints fail for a divisor of 0.",
		examples: [
			["res.status_code / 100 == 2", "true"],
			["1.0 / 4.0", "0.25"],
		],
		signatures: NUMBERS,
		mayFail: unlessDoubles,
		estimate: arithmetic,
	},
	{
		name: "_%_",
		written: "a % b",
		doc: "The rest of a division of ints. Fails for a divisor of 0.",
		examples: [["10 % 3", "1"]],
		signatures: ["(int, int) -> int", "(uint, uint) -> uint"],
		mayFail: always,
		estimate: arithmetic,
	},
	{
		name: "-_",
		written: "-a",
		doc: "The number with the opposite sign. Fails for the smallest int.",
		examples: [["-(1 + 2)", "-3"]],
		signatures: ["(int) -> int", "(double) -> double"],
		mayFail: unlessDoubles,
	},
];
