/**
 * The level of this build (docs/fleet.md, "Levels"). It is raised with the first element of a schema, kind of document or
 * function of expressions that a build of the level before would not understand, or would judge differently. Used by
 * `decide.ts` for the documents of a record.
 */
import type { z } from "zod";
import { highestLevel, levelIn } from "../documents/level.ts";
import { policySchema } from "../policy/document/schema.ts";
import { decodeDocument } from "../store/layout.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";

export const LEVEL = 2;

/** Kinds of documents that came later than level 1. */
const KINDS: Readonly<Record<string, number>> = { "c/": 2, "v/": 2 };

/** Other kinds of documents are as they were when they came. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
	"c/": policySchema,
	"e/": edgeSchema,
	"p/": policySchema,
	"r/": routeSchema,
};

/** The level that a document needs. @param value as it is stored */
export function levelOf(key: string, value: string): number {
	const kind = key.slice(0, 2);
	const [least, schema] = [KINDS[kind] ?? 1, SCHEMAS[kind]];
	return schema === undefined ? least : Math.max(least, levelOfText(schema, value));
}

/** No element of a schema has come later yet: nothing has to be read for that. */
const levelOfText = (schema: z.ZodType, value: string): number =>
	highestLevel() === 1 ? 1 : levelIn(schema, decodeDocument(value));
