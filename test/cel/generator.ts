/**
 * Expressions made at random: every declared function and operator, every macro, literals at the edges of
 * their types, and variables. Used by `soundness.test.ts` and `differential.test.ts`.
 */
import { typeName } from "../../src/cel/check/types.ts";
import { VARIABLES } from "../../src/cel/check/variables.ts";
import { CALLS_BY_RESULT } from "./generator-calls.ts";
import { arithmetic, chained, idiom, searched } from "./generator-idioms.ts";
import { FIELDS, LITERALS, SMALL_INTS } from "./generator-literals.ts";
import {
	ANY_TYPE,
	kindOf,
	type Local,
	PRODUCTIONS_BY_KIND,
	type Production,
	quantified,
	SIMPLE_TYPES,
} from "./generator-productions.ts";
import { grouped, pick, type Random } from "./generator-random.ts";
import { RESULT_READS } from "./generator-results.ts";
import { leaf, type Term } from "./generator-term.ts";

/** The types that expressions as a whole are made of; rules are conditions. */
export const TYPES: readonly string[] = [
	...Array.from({ length: 12 }, () => "bool"),
	...SIMPLE_TYPES,
	"type",
	"dyn",
	"list<int>",
	"list<string>",
	"list<dyn>",
	"map<string, int>",
	"map<int, string>",
	"optional<int>",
	"optional<string>",
	"list<list<string>>",
];

/** Variables by type, with what actions leave, which is dyn to the checker. */
const VARIABLE_NAMES: ReadonlyMap<string, readonly string[]> = new Map(
	[
		...grouped(
			[
				...Array.from(VARIABLES.values(), ({ name, type }) => ({ name, type: typeName(type) })),
				...RESULT_READS,
			],
			({ type }) => type,
		),
	].map(([type, variables]) => [type, variables.map(({ name }) => name)]),
);

const IDIOMS_BY_TYPE: Readonly<Record<string, readonly Production[]>> = {
	bool: [idiom, chained, chained, quantified, searched, searched],
	int: [arithmetic],
};

/** Operands in ten thousand that come as dyn, some of them of a wrong type. */
const DYNAMIC = 800;

export class Generator {
	readonly #random: Random;
	readonly #locals: Local[] = [];

	constructor(random: Random) {
		this.#random = random;
	}

	/** @param depth how many calls may be nested */
	term(type: string, depth: number): Term {
		if (depth <= 0) return this.#leaf(type);
		const kind = this.#random();
		if (kind < 0.55) {
			const call = this.#call(type, depth - 1);
			if (call !== undefined) return call;
		} else if (kind < 0.85) {
			const special = this.#special(type, depth - 1);
			if (special !== undefined) return special;
		}
		return this.#leaf(type, depth - 1);
	}

	#call(type: string, depth: number): Term | undefined {
		const calls = CALLS_BY_RESULT.get(type);
		if (calls === undefined) return undefined;
		const { parameters, write } = pick(this.#random, calls);
		return { type, parts: parameters.map((each) => this.#operand(each, depth)), write };
	}

	#operand(type: string, depth: number): Term {
		const random = this.#random;
		if (random() * 10_000 >= DYNAMIC) return this.term(type, depth);
		const inner = this.term(random() < 0.8 ? type : pick(random, SIMPLE_TYPES), depth);
		return { type, parts: [inner], write: ([a]) => `dyn(${a})` };
	}

	#leaf(type: string, depth = 0): Term {
		const random = this.#random;
		const locals = this.visible(type);
		if (locals.length > 0 && random() < 0.6) return leaf(type, pick(random, locals));
		const variables = (VARIABLE_NAMES.get(type) ?? []).filter((each) => !this.#isHidden(each));
		if (variables.length > 0 && random() < 0.4) return leaf(type, pick(random, variables));
		if (type === "bool" && random() < 0.7) return idiom(this, type);
		if (type === "int" && random() < 0.2) return arithmetic(this, type);
		return this.#literal(type, depth);
	}

	visible(type: string): readonly string[] {
		return this.#locals
			.filter(({ name }, at) => this.#locals.findLastIndex((other) => other.name === name) === at)
			.filter((local) => local.type === type)
			.map(({ name }) => name);
	}

	#isHidden(variable: string): boolean {
		return this.#locals.some(({ name }) => variable.startsWith(`${name}.`));
	}

	#literal(type: string, depth: number): Term {
		const random = this.#random;
		const element = /^list<(.*)>$/.exec(type)?.[1];
		if (element !== undefined) return this.#list(type, element, depth);
		const [, key, value] = /^map<(\w+), (.*)>$/.exec(type) ?? [];
		if (key !== undefined && value !== undefined) return this.#map(type, key, value, depth);
		const held = /^optional<(.*)>$/.exec(type)?.[1];
		if (held !== undefined) {
			if (random() < 0.3) return leaf(type, "optional.none()");
			return this.#around(type, [held], depth, ([a]) => `optional.of(${a})`);
		}
		if (type === "dyn") {
			const inner = pick(random, depth > 0 ? TYPES : SIMPLE_TYPES);
			return this.#around(type, [inner], depth, ([a]) => `dyn(${a})`);
		}
		if (type === "cookie") return leaf(type, "getReqCookie('theme')");
		if (type === "set_cookie") return leaf(type, "getResCookie('id')");
		if (type === "int" && random() < 0.5) return leaf(type, pick(random, SMALL_INTS));
		return leaf(type, pick(random, LITERALS[type] ?? ["null"]));
	}

	#list(type: string, element: string, depth: number): Term {
		const count = Math.floor(this.#random() * 4);
		const flags = Array.from({ length: count }, () => depth > 0 && this.#random() < 0.15);
		const types = flags.map((isOptional) => (isOptional ? `optional<${element}>` : element));
		return this.#around(type, types, depth, (texts, dialect) => {
			if (texts.length === 0) return "[]";
			if (!flags.includes(true)) return `[${texts.join(", ")}]`;
			if (dialect === "weir") {
				return `[${texts.map((each, at) => (flags[at] ? `?${each}` : each)).join(", ")}]`;
			}
			return `__optionalList(${texts.flatMap((each, at) => [flags[at], each]).join(", ")})`;
		});
	}

	#map(type: string, key: string, value: string, depth: number): Term {
		const count = Math.floor(this.#random() * 3);
		const flags = Array.from({ length: count }, () => depth > 0 && this.#random() < 0.15);
		const parts = flags.flatMap((isOptional) => [
			this.#key(key, depth),
			this.term(isOptional ? `optional<${value}>` : value, depth - 1),
		]);
		const write: Term["write"] = (texts, dialect) => {
			const entries = flags.map(
				(isOptional, at) => [isOptional, texts[2 * at] ?? "", texts[2 * at + 1] ?? ""] as const,
			);
			if (!flags.includes(true)) return `{${entries.map(([, k, v]) => `${k}: ${v}`).join(", ")}}`;
			if (dialect === "oracle") return `__optionalMap(${entries.flat().join(", ")})`;
			return `{${entries.map(([isOptional, k, v]) => `${isOptional ? "?" : ""}${k}: ${v}`).join(", ")}}`;
		};
		return { type, parts, write };
	}

	/** Mostly one that somebody asks for. */
	#key(type: string, depth: number): Term {
		const random = this.#random;
		if (random() < 0.3) return this.term(type, depth - 1);
		if (type === "string") return leaf(type, `'${pick(random, FIELDS)}'`);
		return leaf(type, pick(random, type === "int" ? SMALL_INTS : (LITERALS[type] ?? ["true"])));
	}

	/** A macro or a piece of syntax that yields the type; undefined if the one that chance chose can't. */
	#special(type: string, depth: number): Term | undefined {
		const productions = PRODUCTIONS_BY_KIND[kindOf(type)] ?? ANY_TYPE;
		const isIdiom = this.#random() < 0.5;
		const chosen = (isIdiom && IDIOMS_BY_TYPE[type]) || productions;
		return pick(this.#random, chosen)(this, type, depth);
	}

	one<T>(choices: readonly T[]): T {
		return pick(this.#random, choices);
	}

	/** @param inner made with the loop variables in scope */
	within(locals: readonly Local[], inner: () => Term): Term {
		this.#locals.push(...locals);
		const term = inner();
		this.#locals.length -= locals.length;
		return term;
	}

	#around(type: string, types: readonly string[], depth: number, write: Term["write"]): Term {
		return { type, parts: types.map((each) => this.term(each, depth - 1)), write };
	}
}
