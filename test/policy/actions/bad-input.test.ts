/**
 * Bad input for every field of every action, derived from their schemas: a wrong type, a value or length just outside of
 * each bound, a field that does not exist, one that is missing, a phase where the action does not exist. Each is told at
 * its place, in a sentence that names what is expected (contract 3). A value just inside of each bound passes it.
 */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Problem } from "../../../src/errors.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ACTION_TYPES, actionOf, EVERY_TYPE } from "../../../src/policy/actions/table.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";

interface Node {
	readonly type?: string;
	readonly const?: unknown;
	readonly enum?: readonly unknown[];
	readonly anyOf?: readonly Node[];
	readonly minimum?: number;
	readonly maximum?: number;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly minItems?: number;
	readonly maxItems?: number;
	readonly minProperties?: number;
	readonly maxProperties?: number;
	readonly items?: Node;
	readonly additionalProperties?: Node;
	readonly properties?: Readonly<Record<string, Node>>;
	readonly required?: readonly string[];
}

type Config = Readonly<Record<string, unknown>>;
interface Case {
	readonly what: string;
	readonly config: unknown;
	/** where the problem is, from the config on */
	readonly at: string;
	readonly codes: readonly string[];
	readonly says: RegExp;
}

const SAMPLES: readonly (readonly [type: string, value: unknown])[] = [
	["string", "SAMPLE"],
	["integer", 5],
	["number", 0.5],
	["boolean", true],
	["array", []],
	["object", {}],
	["null", null],
];

const typesOf = (node: Node): readonly string[] =>
	node.anyOf === undefined
		? [node.type ?? "any"].flatMap((type) => (type === "number" ? ["number", "integer"] : [type]))
		: node.anyOf.flatMap(typesOf);

const WRONG = ["wrong_type", "unknown_value", "invalid_value"];
const plural = /s$/;
const NEEDS_ANOTHER = /^needs "\w+" beside it/;

/** What is wrong about a value that the node takes the place of. */
function mistakesOf(
	node: Node,
	what: string,
	at: string,
	put: (value: unknown) => unknown,
): Case[] {
	const types = typesOf(node);
	const cases: Case[] = [];
	const add = (said: string, value: unknown, codes: readonly string[], says: RegExp): void => {
		cases.push({ what: `${what}: ${said}`, config: put(value), at, codes, says });
	};
	if (!types.includes("any"))
		for (const [type, value] of SAMPLES) {
			const isMissing = type === "null" && at.split("/").length === 3;
			if (types.includes(type) || isMissing) continue;
			add(`a value of type ${type}`, value, WRONG, /^expected .+, got .+$|^(must|needs|is) .+$/);
		}
	const grow = (length: number): unknown =>
		types.includes("array")
			? Array.from({ length }, (_, n) => `x${n}`)
			: Object.fromEntries(Array.from({ length }, (_, n) => [`x${n}`, "v"]));
	if (node.minimum !== undefined)
		add("too small", node.minimum - 1, ["too_small"], new RegExp(`at least ${node.minimum}\\b`));
	if (node.maximum !== undefined)
		add("too large", node.maximum + 1, ["too_big"], new RegExp(`at most ${node.maximum}\\b`));
	if (node.minLength !== undefined)
		add("too short", "", ["too_small"], new RegExp(`at least ${node.minLength}\\b`));
	if (node.maxLength !== undefined) {
		const text = "x".repeat(node.maxLength + 1);
		add("too long", text, ["too_big", "invalid_value"], new RegExp(`at most ${node.maxLength}\\b`));
	}
	const least = node.minItems ?? node.minProperties;
	if (least !== undefined)
		add("too few", grow(least - 1), ["too_small", "invalid_value"], /at least (one|1)\b/);
	const most = node.maxItems ?? node.maxProperties;
	if (most !== undefined)
		add("too many", grow(most + 1), ["too_big"], new RegExp(`at most ${most} .*has ${most + 1}`));
	if (node.items !== undefined)
		cases.push(...mistakesOf(node.items, `${what}, element`, `${at}/0`, (value) => put([value])));
	if (node.additionalProperties?.type !== undefined)
		cases.push(
			...mistakesOf(node.additionalProperties, `${what}, entry`, `${at}/x`, (value) =>
				put({ x: value }),
			),
		);
	if (node.enum !== undefined || node.const !== undefined) {
		const other = types.includes("string") ? "SAMPLE" : 999;
		const [valid] = node.enum ?? [node.const];
		add("a value that there is not", other, WRONG, new RegExp(String(valid)));
	}
	return cases;
}

function problemsIn(phase: string, action: unknown): readonly Problem[] {
	const checked = validatePolicy(
		{ [phase]: [{ actions: [action] }] },
		{
			rulesPerPhase: LIMITS.rulesPerPhase,
		},
	);
	return checked.ok ? [] : checked.error;
}

describe.each(EVERY_TYPE)("%s", (type) => {
	const { config: schema, phases, documentation } = actionOf(type);
	const node = z.toJSONSchema(schema, { io: "input" }) as Node;
	const fields = Object.entries(node.properties ?? {});
	const { inbound = [], outbound = [] } = documentation.example.document;
	const valid: Config =
		([...inbound, ...outbound] as { actions: { type: string; config?: Config }[] }[])
			.flatMap(({ actions }) => actions)
			.find((action) => action.type === type)?.config ?? {};
	const [phase = "inbound"] = phases;

	const cases: Case[] = fields.flatMap(([name, field]) => [
		...mistakesOf(field, name, `/config/${name}`, (value) => ({ ...valid, [name]: value })),
		{
			what: `${name}: misspelt`,
			config: { ...valid, [`${name}${plural.test(name) ? "es" : "s"}`]: 1 },
			at: `/config/${name}${plural.test(name) ? "es" : "s"}`,
			codes: ["unknown_field"],
			says: new RegExp(`^unknown field .*"${name}"`),
		},
	]);
	for (const name of node.required ?? []) {
		const { [name]: _, ...without } = valid;
		const missing = {
			at: `/config/${name}`,
			codes: ["required", "too_small"],
			says: /^is required: /,
		};
		cases.push({ what: `${name}: missing`, config: without, ...missing });
		cases.push({
			what: `${name}: null`,
			config: { ...valid, [name]: null },
			...missing,
			codes: ["required", "wrong_type"],
			says: /^is required: |got null$/,
		});
	}
	cases.push({
		what: "a field of its own",
		config: { ...valid, "no such thing": 1 },
		at: "/config/no such thing",
		codes: ["unknown_field"],
		says: /^unknown field "no such thing"/,
	});
	for (const value of ["text", ["list"], 5, true])
		cases.push({
			what: `a config that is ${JSON.stringify(value)}`,
			config: value,
			at: "/config",
			codes: ["wrong_type"],
			says: /^expected an object, got /,
		});

	test.each(cases)("$what", ({ config, at, codes, says }) => {
		const problems = problemsIn(phase, { type, config });
		const pointer = `/${phase}/0/actions/0${at}`;
		const there = problems.filter((problem) => problem.pointer === pointer);
		expect(there, JSON.stringify(problems)).not.toEqual([]);
		// of a field that means nothing alone that is said first
		if (there.some(({ message }) => NEEDS_ANOTHER.test(message))) return;
		expect(there.map(({ code }) => code).filter((code) => codes.includes(code))).toHaveLength(1);
		expect(there.find(({ code }) => codes.includes(code))?.message).toMatch(says);
	});

	test("a value on each bound passes it", () => {
		const bounded = ["too_small", "too_big"];
		for (const [name, field] of fields) {
			const numbers = [field.minimum, field.maximum].filter((bound) => bound !== undefined);
			const texts = [field.minLength, field.maxLength].flatMap((bound) =>
				bound === undefined ? [] : ["x".repeat(bound)],
			);
			for (const value of [...numbers, ...texts]) {
				const problems = problemsIn(phase, { type, config: { ...valid, [name]: value } });
				const about = problems.filter(({ pointer }) => pointer.endsWith(`/config/${name}`));
				expect(about.filter(({ code }) => bounded.includes(code))).toEqual([]);
			}
		}
	});

	test("null for what may be left out leaves it out", () => {
		for (const [name] of fields) {
			if (node.required?.includes(name)) continue;
			const without = { ...valid, [name]: undefined };
			const left = problemsIn(phase, { type, config: without }).map(({ pointer }) => pointer);
			const problems = problemsIn(phase, { type, config: { ...valid, [name]: null } });
			expect(
				problems.map(({ pointer }) => pointer),
				name,
			).toEqual(left);
		}
	});

	test.each(["inbound", "outbound"] as const)("as an %s action", (each) => {
		const problems = problemsIn(each, { type, config: valid });
		const wrong = problems.filter(({ code }) => code === "wrong_phase");
		if (phases.includes(each)) {
			expect(wrong).toEqual([]);
			return;
		}
		expect(problems).toHaveLength(1);
		expect(wrong).toEqual([
			{
				pointer: `/${each}/0/actions/0/type`,
				code: "wrong_phase",
				message: `"${type}" exists in ${phases.join(" and ")} rules only; ${each} rules may have ${ACTION_TYPES[each].join(", ")}`,
			},
		]);
	});
});
