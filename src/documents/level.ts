/**
 * Which level of weir a document needs (docs/fleet.md, "Levels"): an element of a schema may say the level that it came
 * with, and a document needs the highest of the elements that it holds. Builds of a lower level would not understand it, or
 * judge it differently. Schemas say it with `since`; `fleet/level.ts` asks.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

const LEVELS = z.registry<{ readonly level: number }>();

let highest = 1;

/** that an element of any schema has said */
export const highestLevel = (): number => highest;

/**
 * To be called last on an element, since `describe` and the like make another of it. What a document holds by default
 * does not count, so a default must mean what older builds do.
 */
export function since<Schema extends z.ZodType>(level: number, schema: Schema): Schema {
	highest = Math.max(highest, level);
	LEVELS.add(schema, { level });
	return schema;
}

/** @param document valid, as far as anybody knows: what does not fit the schema needs no level */
export const levelIn = (schema: z.ZodType, document: unknown): number =>
	highest === 1 ? 1 : levelBelow(schema, document);

function levelBelow(schema: z.core.$ZodType, value: unknown): number {
	if (value === undefined) return 1;
	const { def } = (schema as z.core.$ZodTypes)._zod;
	if (def.type === "default" && isDeepStrictEqual(value, def.defaultValue)) return 1;
	const own = LEVELS.get(schema as z.ZodType)?.level ?? 1;
	return Math.max(own, ...partsOf(def, value).map(([part, held]) => levelBelow(part, held)));
}

type Part = readonly [schema: z.core.$ZodType, value: unknown];

function partsOf(def: z.core.$ZodTypes["_zod"]["def"], value: unknown): readonly Part[] {
	switch (def.type) {
		case "object":
			return isObject(value)
				? Object.entries(def.shape).map(([name, part]) => [part, value[name]])
				: [];
		case "record":
			return isObject(value) ? Object.values(value).map((held) => [def.valueType, held]) : [];
		case "array":
			return Array.isArray(value) ? value.map((held) => [def.element, held]) : [];
		case "union":
			return def.options
				.filter((option) => z.safeParse(option, value).success)
				.slice(0, 1)
				.map((option) => [option, value]);
		case "pipe":
			return [[def.in, value]];
		case "optional":
		case "nullable":
		case "default":
		case "prefault":
		case "readonly":
			return [[def.innerType, value]];
		default:
			return [];
	}
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === "object" && value !== null;
