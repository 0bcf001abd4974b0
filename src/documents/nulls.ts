/**
 * `null` for a field that has a default means absent (contract 2): published clients send it for what they leave
 * out. Used where a document's schema is about to see it; a field that is required keeps its `null`, which the
 * schema then refuses.
 */
import { z } from "zod";

type Members = Readonly<Record<string, unknown>>;

/**
 * @param schema an object's; nothing is known of the fields of any other
 * @returns `value` itself if nothing is to be left out. Looks into fields that are objects, not into lists.
 */
export function withoutNulls(value: Members, schema: z.ZodType): Members {
	if (!(schema instanceof z.ZodObject)) return value;
	let copy: Record<string, unknown> | undefined;
	for (const [name, member] of Object.entries(value)) {
		const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
		if (field === undefined || typeof member !== "object") continue;
		if (member === null) {
			if (!isOptional(field)) continue;
			copy ??= { ...value };
			delete copy[name];
			continue;
		}
		const inner = unwrapped(field);
		if (Array.isArray(member) || !(inner instanceof z.ZodObject)) continue;
		const changed = withoutNulls(member as Members, inner);
		if (changed === member) continue;
		copy ??= { ...value };
		copy[name] = changed;
	}
	return copy ?? value;
}

const isOptional = (field: unknown): boolean =>
	field instanceof z.ZodOptional || field instanceof z.ZodDefault;

const unwrapped = (field: unknown): unknown =>
	field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
