/**
 * `POST /policy/check`: what PUT would say of a policy document, with the places in its text, for editors that ask while
 * somebody types. Changes nothing, so it takes the role `read` and leaves no audit line.
 */
import { ApiError } from "../../errors.ts";
import type { PlacedProblem, PolicyCheck } from "../../threads/policy-check.ts";
import { CheckerBusyError } from "../../threads/policy-checker.ts";
import { type Context, missingList } from "../context.ts";
import { isYaml } from "../http/media-types.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import type { CheckedProblem, PolicyCheckAnswer } from "../live/shapes.ts";

export const policyCheckMethods = (context: Context): Methods => ({
	POST: {
		role: "read",
		takesBody: true,
		isLocal: true,
		takesYaml: true,
		async run(request, _ids, body) {
			const format = isYaml(request) ? "yaml" : "json";
			const check = await context.policyChecker.check(body, format, true).catch(busy);
			return json(200, answerTo(check, context));
		},
	},
});

function busy(error: unknown): never {
	if (!(error instanceof CheckerBusyError)) throw error;
	throw new ApiError("ERR_NOT_READY", "Too many large documents are being checked; try again.");
}

function answerTo(check: PolicyCheck, { store }: Pick<Context, "store">): PolicyCheckAnswer {
	switch (check.outcome) {
		case "not_json": {
			const { message, line, column } = check.error;
			const range = { line, column, end_line: line, end_column: column + 1 };
			const problem = { pointer: "", code: "invalid_text", message, range };
			return { valid: false, problems: [problem], warnings: [] };
		}
		case "invalid":
		case "tests_failed":
			return { valid: false, problems: check.problems.map(told), warnings: [] };
		case "valid": {
			const known = new Set(check.addressLists.length === 0 ? [] : store.ipListIds());
			const problems = check.addressLists
				.filter(({ name }) => !known.has(name))
				.map((list) => ({ ...missingList(list), ...(list.range && { range: list.range }) }));
			const warnings = check.warnings.map(told);
			return { valid: problems.length === 0, problems: problems.map(told), warnings };
		}
	}
}

const told = ({ pointer, code, message, range }: PlacedProblem): CheckedProblem => ({
	pointer,
	code,
	message,
	range:
		range === undefined
			? null
			: {
					...{ line: range.line, column: range.column },
					...{ end_line: range.endLine, end_column: range.endColumn },
				},
});
