/**
 * The level of this build (docs/fleet.md, "Levels"). It is raised with the first element of a schema, kind of document or
 * function of expressions that a build of the level before would not understand, or would judge differently. Used by
 * `decide.ts` for the documents of a record.
 */
import type { z } from "zod";
import { levelIn } from "../documents/level.ts";
import { policySchema } from "../policy/document/schema.ts";
import { decodeDocument, isVersion } from "../store/layout.ts";
import { edgeSchema, routeSchema } from "../store/resources.ts";

export const LEVEL = 2;

/** The highest that an element of a schema came with (`since`). */
const LEVEL_OF_SCHEMAS: number = 1;

/** Versions of policies came with it. */
const LEVEL_WITH_VERSIONS = 2;

/** Other kinds of documents are as they were in level 1. */
const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
	"e/": edgeSchema,
	"p/": policySchema,
	"r/": routeSchema,
};

/** The level that a document needs. @param value as it is stored */
export function levelOf(key: string, value: string): number {
	if (isVersion(key)) return LEVEL_WITH_VERSIONS;
	const schema = SCHEMAS[key.slice(0, 2)];
	return schema === undefined || LEVEL_OF_SCHEMAS === 1
		? 1
		: levelIn(schema, decodeDocument(value));
}
