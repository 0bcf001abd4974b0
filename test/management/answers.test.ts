/** Answers have no field more or less than is published; test/e2e/openapi.test.ts holds real ones to it. */
import { expect, it } from "vitest";
import * as answers from "../../src/management/answers.ts";

const ERROR = {
	...{ error_code: "ERR_NOT_FOUND", status_code: 404, msg: "There is nothing at this path." },
	...{ details: { operation_id: "op_1" }, problems: [] },
};

it("an error has a code of this API, and no other field", () => {
	expect(answers.errorSchema.safeParse(ERROR).success).toBe(true);
	expect(answers.errorSchema.safeParse({ ...ERROR, error_code: "ERR_NO_ROUTE" }).success).toBe(
		false,
	);
	expect(answers.errorSchema.safeParse({ ...ERROR, stack: "" }).success).toBe(false);
});

it("every shape is closed", () => {
	for (const schema of Object.values(answers))
		expect(schema.safeParse({ surprise: 1 }).error?.issues.map(({ code }) => code)).toContain(
			"unrecognized_keys",
		);
});
