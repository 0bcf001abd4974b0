/**
 * Tells a config file from a policy by the fields at its top. The two have no field in common, so one field is enough;
 * where all of them are misspelt, the nearest names decide. Called by `check-files.ts`.
 */
import { configSchema } from "../../config.ts";
import { described } from "../../documents/problem-sentences.ts";
import { nearest } from "../../documents/problems.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { POLICY_FIELDS } from "../../policy/document/validate.ts";
import { KINDS, type Kind } from "./checked-file.ts";

/** Fields that the one kind has, and that people give it who know other products. */
const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
	config: Object.keys(configSchema.shape),
	policy: [...POLICY_FIELDS, "on_http_request", "on_http_response", "on_tcp_connect"],
};

const SAY = "say what it is with --as config or --as policy";

/** The error is a sentence that names the way out. */
export function kindOf(value: unknown): Result<Kind, string> {
	if (value === null) return fail(`the file is empty, as a config file may be; ${SAY}`);
	if (typeof value !== "object" || Array.isArray(value))
		return fail(`expected an object, a config file's or a policy's, got ${described(value)}`);
	const names = Object.keys(value);
	if (names.length === 0)
		return fail(`no field tells whether this is a config file or a policy; ${SAY}`);
	return (
		byFields(names, (name, fields) => fields.includes(name)) ??
		byFields(names, (name, fields) => nearest(name, fields) !== undefined) ??
		fail(
			`neither a config file (${FIELDS.config.slice(0, 3).join(", ")}, …) nor a policy (${POLICY_FIELDS.join(", ")}) has any of these fields; ${SAY}`,
		)
	);
}

/** @returns undefined if no field is of either kind */
function byFields(
	names: readonly string[],
	isOf: (name: string, fields: readonly string[]) => boolean,
): Result<Kind, string> | undefined {
	const found = KINDS.flatMap((kind) => {
		const name = names.find((each) => isOf(each, FIELDS[kind]));
		return name === undefined ? [] : [{ kind, name }];
	});
	const [first, second] = found;
	if (first === undefined) return undefined;
	if (second === undefined) return ok(first.kind);
	return fail(
		`"${first.name}" belongs to a config file and "${second.name}" to a policy; these are two files, or ${SAY}`,
	);
}
