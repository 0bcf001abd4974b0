/**
 * The level of this build (docs/fleet.md, "Levels"). It is raised with the first element of a schema, kind of document or
 * function of expressions that a build of the level before would not understand, or would judge differently. Used by
 * `decide.ts` for the documents of a record.
 */
import type { z } from "zod";
import { levelIn } from "../documents/level.ts";
import { policySchema } from "../policy/document/schema.ts";
import { decodeDocument } from "../store/layout.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";

export const LEVEL = 1;

/** Other kinds of documents are as they were in level 1. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
	"e/": edgeSchema,
	"p/": policySchema,
	"r/": routeSchema,
};

/** The level that a document needs. @param value as it is stored */
export function levelOf(key: string, value: string): number {
	const schema = SCHEMAS[key.slice(0, 2)];
	return schema === undefined || LEVEL === 1 ? 1 : levelIn(schema, decodeDocument(value));
}
