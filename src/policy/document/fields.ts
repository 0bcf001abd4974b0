/**
 * Kinds of fields that several actions have in their configs, as schemas. Used by `schema.ts` and the files of
 * `actions/`.
 */
import { z } from "zod";
import { tested } from "../../documents/acceptor.ts";
import { LIMITS } from "../../limits/limits.ts";

/** At most `bytes` of UTF-8; the published schema can say it in characters only, which is weaker. */
export const text = (bytes: number) =>
	tested(
		z.string().superRefine((value, context) => {
			const size = Buffer.byteLength(value);
			if (size <= bytes) return;
			context.addIssue({ code: "custom", message: `is ${size} bytes long; at most ${bytes}` });
		}),
		(value) => Buffer.byteLength(value) <= bytes,
	).meta({ maxLength: bytes });

export const name = z.string().max(LIMITS.nameCharacters);

export const statusCode = z.int().min(LIMITS.statusCodeMin).max(LIMITS.statusCodeMax);

/** The end of the description of a field that takes templates. */
export const INTERPOLATED = "May hold ${CEL expression}; $${ is a literal ${.";
