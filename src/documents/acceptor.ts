/**
 * A schema as one quick function that takes what the schema takes, and makes of it what the schema makes, but where it is
 * not sure it refuses; then the schema itself says what is what. A document that is in order, as nearly all are, so costs a
 * fraction of what zod's own walk takes. Kinds of schemas that are not known here are asked themselves. What is long is
 * refused unseen: whoever asks next cuts it before anything looks at each member (`policy/document/bounds.ts`).
 */
import type { z } from "zod";
import { LIMITS } from "../limits/limits.ts";

export const REFUSED = Symbol("refused");

/** @returns what the schema makes of the value, or `REFUSED` */
export type Accept = (value: unknown) => unknown;

type Def = z.core.$ZodTypes["_zod"]["def"];
type Of<Type extends Def["type"]> = Extract<Def, { readonly type: Type }>;

/** What checks of a schema's own amount to, by its definition, which stays where a description is added. */
const TESTS = new WeakMap<object, (value: string) => boolean>();

/** Makes known what a text with a check of its own is refused for. @param test true exactly where the schema takes a string */
export function tested<Schema extends z.ZodString>(
	schema: Schema,
	test: (value: string) => boolean,
): Schema {
	TESTS.set(schema._zod.def, test);
	return schema;
}

export function acceptorOf(schema: z.core.$ZodType): Accept {
	const { def } = (schema as z.core.$ZodTypes)._zod;
	return acceptorFor(def) ?? asked(schema as z.ZodType);
}

function acceptorFor(def: Def): Accept | undefined {
	switch (def.type) {
		case "string":
			return stringAcceptor(def);
		case "number":
			return integerAcceptor(def as Of<"number"> & { readonly format?: string });
		case "boolean":
			return (value) => (typeof value === "boolean" ? value : REFUSED);
		case "literal":
			return among(def.values);
		case "enum":
			return among(Object.values(def.entries));
		case "array":
			return isPlain(def) ? arrayAcceptor(acceptorOf(def.element)) : undefined;
		case "object":
			return isPlain(def) && isStrict(def) ? objectAcceptor(def.shape) : undefined;
		case "union":
			return isPlain(def) && "discriminator" in def
				? unionAcceptor(def.options, String(def.discriminator))
				: undefined;
		case "optional":
		case "default":
			return acceptorOf(def.innerType);
		default:
			return undefined;
	}
}

/** For kinds that are not known here. */
const asked =
	(schema: z.ZodType): Accept =>
	(value) => {
		if (roomBeside(value, LIMITS.usualMembers) < 0) return REFUSED;
		const result = schema.safeParse(value);
		return result.success ? result.data : REFUSED;
	};

/** How many more values there may be than those in this one; below 0 as soon as there are too many. */
function roomBeside(value: unknown, room: number): number {
	if (typeof value !== "object" || value === null) return room - 1;
	let left = room - 1;
	if (Array.isArray(value) && value.length > left) return -1;
	for (const name in value) {
		left = roomBeside((value as Readonly<Record<string, unknown>>)[name], left);
		if (left < 0) return left;
	}
	return left;
}

const isPlain = ({ checks }: Def): boolean => checks === undefined || checks.length === 0;

const isStrict = ({ catchall }: Of<"object">): boolean =>
	catchall !== undefined && (catchall as z.core.$ZodTypes)._zod.def.type === "never";

function stringAcceptor(def: Of<"string">): Accept | undefined {
	const test = TESTS.get(def);
	if (test !== undefined)
		return (value) => (typeof value === "string" && test(value) ? value : REFUSED);
	if ("format" in def || def.coerce === true) return undefined;
	let most = Number.POSITIVE_INFINITY;
	for (const check of def.checks ?? []) {
		const { def: bound } = (check as z.core.$ZodChecks)._zod;
		if (bound.check !== "max_length") return undefined;
		most = Math.min(most, bound.maximum);
	}
	return (value) => (typeof value === "string" && value.length <= most ? value : REFUSED);
}

function integerAcceptor(
	def: Of<"number"> & { readonly format?: string | undefined },
): Accept | undefined {
	if (def.format !== "safeint" || def.coerce === true) return undefined;
	let [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
	for (const check of def.checks ?? []) {
		const { def: bound } = (check as z.core.$ZodChecks)._zod;
		if (bound.check === "greater_than" && bound.inclusive)
			least = Math.max(least, Number(bound.value));
		else if (bound.check === "less_than" && bound.inclusive)
			most = Math.min(most, Number(bound.value));
		else return undefined;
	}
	return (value) =>
		Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
			? value
			: REFUSED;
}

const among =
	(values: readonly unknown[]): Accept =>
	(value) =>
		typeof value === "string" && values.includes(value) ? value : REFUSED;

const arrayAcceptor =
	(element: Accept): Accept =>
	(value) => {
		if (!Array.isArray(value) || value.length > LIMITS.usualMembers) return REFUSED;
		const taken: unknown[] = [];
		for (const each of value as readonly unknown[]) {
			const one = element(each);
			if (one === REFUSED) return REFUSED;
			taken.push(one);
		}
		return taken;
	};

interface Field {
	readonly name: string;
	readonly accept: Accept;
	readonly schema: z.core.$ZodTypes;
	/** what stands for a field that is left out; `REFUSED`: it must not be */
	readonly absent: "omitted" | "default" | typeof REFUSED;
}

function objectAcceptor(shape: Readonly<Record<string, z.core.$ZodType>>): Accept {
	const fields = Object.entries(shape).map(([name, schema]): Field => {
		const { def } = (schema as z.core.$ZodTypes)._zod;
		const absent =
			def.type === "optional" ? "omitted" : def.type === "default" ? "default" : REFUSED;
		return { name, accept: acceptorOf(schema), schema: schema as z.core.$ZodTypes, absent };
	});
	return (value) => {
		if (typeof value !== "object" || value === null || Array.isArray(value)) return REFUSED;
		return taken(value as Readonly<Record<string, unknown>>, fields);
	};
}

/** Fields in the order of the schema, as zod has them. */
function taken(value: Readonly<Record<string, unknown>>, fields: readonly Field[]): unknown {
	let left = 0;
	for (const _ in value) left++;
	const copy: Record<string, unknown> = {};
	for (const { name, accept, schema, absent } of fields) {
		if (!Object.hasOwn(value, name)) {
			if (absent === REFUSED) return REFUSED;
			// of a list or an object another one each time
			if (absent === "default") copy[name] = defaultOf(schema);
			continue;
		}
		// `nulls.ts` takes it for a field that is left out
		if (value[name] === null && absent !== REFUSED) return REFUSED;
		const one = accept(value[name]);
		if (one === REFUSED) return REFUSED;
		copy[name] = one;
		left--;
	}
	return left === 0 ? copy : REFUSED;
}

const defaultOf = (schema: z.core.$ZodTypes): unknown =>
	(schema._zod.def as Of<"default">).defaultValue;

function unionAcceptor(
	options: readonly z.core.$ZodType[],
	discriminator: string,
): Accept | undefined {
	const accepts = new Map<unknown, Accept>();
	for (const option of options) {
		const { def } = (option as z.core.$ZodTypes)._zod;
		const named = def.type === "object" ? def.shape[discriminator] : undefined;
		const { def: literal } = (named as z.core.$ZodTypes | undefined)?._zod ?? {};
		if (literal?.type !== "literal") return undefined;
		for (const value of literal.values) accepts.set(value, acceptorOf(option));
	}
	return (value) => {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, discriminator))
			return REFUSED;
		const accept = accepts.get((value as Readonly<Record<string, unknown>>)[discriminator]);
		return accept === undefined ? REFUSED : accept(value);
	};
}
