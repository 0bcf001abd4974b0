/** `GET /policy/language` has every variable, function and action, each as a document may have it. */
import { expect, it } from "vitest";
import { FUNCTIONS } from "../../../src/cel/library/table.ts";
import { VARIABLE_TABLE } from "../../../src/cel/variables/table.ts";
import { EVERY_TYPE } from "../../../src/policy/actions/table.ts";
import { validatePolicy } from "../../../src/policy/document/validate.ts";
import { startApi } from "../api.ts";

it("has all there is", async () => {
	const api = await startApi();
	const { json } = await api.send("GET", "/policy/language");
	const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
	expect(names(json.variables)).toEqual(VARIABLE_TABLE.map(({ name }) => name));
	const callable = [...FUNCTIONS.keys()].filter((name) => !name.includes("@"));
	expect(names(json.functions)).toEqual(expect.arrayContaining(callable));
	expect(names(json.functions)).toEqual(expect.arrayContaining(["has", "exists", "map"]));
	const of = (name: string) => json.functions.find((each: { name: string }) => each.name === name);
	expect([of("contains").member, of("has").member, of("exists").member]).toEqual([
		true,
		false,
		true,
	]);
	expect(
		json.variables.find(({ name }: { name: string }) => name === "res.status_code").phases,
	).toEqual(["outbound"]);
	expect(json.actions.map(({ type }: { type: string }) => type)).toEqual(EVERY_TYPE);
	expect(json.schema.title).toBe("Traffic policy");
});

it("has examples that are valid", async () => {
	const api = await startApi();
	const { json } = await api.send("GET", "/policy/language");
	for (const { phases, example, config } of json.actions) {
		const document = { [phases[0]]: [{ actions: [example] }] };
		expect(validatePolicy(document, { rulesPerPhase: 5 }), JSON.stringify(example)).toMatchObject({
			ok: true,
		});
		expect(config.type).toBe("object");
	}
});
