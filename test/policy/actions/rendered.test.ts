/** Templates that are filled in for one exchange, and what is returned in the text's place. */
import { expect, test } from "vitest";
import { rendered } from "../../../src/policy/actions/rendered.ts";
import { EXPRESSION_FAILED } from "../../../src/policy/outcomes.ts";
import { Compiler } from "../../../src/policy/programs/compiler.ts";
import { exchangeOf, PLACE } from "../support.ts";

function render(source: string) {
	const template = new Compiler().template(source, "inbound");
	if (!template.ok) throw new Error(`refused: ${source}`);
	const exchange = exchangeOf({ method: "PUT" });
	return { text: rendered(template.value, exchange, PLACE, undefined), exchange };
}

test("plain text and expressions", () => {
	expect(render("a").text).toBe("a");
	expect(render("a ${req.method}").text).toBe("a PUT");
});

test("a failure is reported with its place and ends the rule", () => {
	const { text, exchange } = render("${req.headers['x'][0]}");
	expect(text).toBe(EXPRESSION_FAILED);
	expect(exchange.failures).toMatchObject([{ place: PLACE }]);
});
