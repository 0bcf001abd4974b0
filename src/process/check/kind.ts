/**
 * Tells config files, policies and files of resources by the fields at their top. They have none in common, so one field is enough;
 * where all of them are misspelt, the nearest names decide. Called by `check-files.ts`.
 */
import { configSchema } from "../../config.ts";
import { described } from "../../documents/problem-sentences.ts";
import { nearest } from "../../documents/problems.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { POLICY_FIELDS } from "../../policy/document/validate.ts";
import { SECTIONS } from "../apply/read-resources.ts";
import { KINDS, type Kind } from "./checked-file.ts";

/** Fields that the one kind has, and that people give it who know other products. */
const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
	config: Object.keys(configSchema.shape),
	policy: [...POLICY_FIELDS, "value", "on_http_request", "on_http_response", "on_tcp_connect"],
	resources: SECTIONS,
};

const NAMES: Readonly<Record<Kind, string>> = {
	config: "a config file",
	policy: "a policy",
	resources: "a file of resources",
};

const SAY = "say what it is with --as config, --as policy or --as resources";

/** The error is a sentence that names the way out. */
export function kindOf(value: unknown): Result<Kind, string> {
	if (value === null) return fail(`the file is empty, as a config file may be; ${SAY}`);
	if (typeof value !== "object" || Array.isArray(value))
		return fail(
			`expected an object, that of a config file, policy or file of resources, got ${described(value)}`,
		);
	const names = Object.keys(value);
	if (names.length === 0)
		return fail(
			`no field tells whether this is a config file, a policy or a file of resources; ${SAY}`,
		);
	return (
		byFields(names, (name, fields) => fields.includes(name)) ??
		byFields(names, (name, fields) => nearest(name, fields) !== undefined) ??
		fail(
			`neither a config file (${FIELDS.config.slice(0, 3).join(", ")}, …) nor a policy (${POLICY_FIELDS.join(", ")}) nor a file of resources (${SECTIONS.join(", ")}) has any of these fields; ${SAY}`,
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
		`"${first.name}" belongs to ${NAMES[first.kind]} and "${second.name}" to ${NAMES[second.kind]}; these are two files, or ${SAY}`,
	);
}
