/** Ajv over the published JSON Schemas: what an editor says of a document. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { documentSchema, type SchemaName } from "../../src/management/document-schemas.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
const compiled = new Map<SchemaName, ValidateFunction>();

/** Whether the schema takes the value; if not, why. */
export function judged(
	name: SchemaName,
	value: unknown,
): { readonly taken: boolean; readonly why: string } {
	const validate = compiled.get(name) ?? ajv.compile(documentSchema(name));
	compiled.set(name, validate);
	const taken = validate(value);
	return { taken, why: ajv.errorsText(validate.errors, { separator: "\n" }) };
}
