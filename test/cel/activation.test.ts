/** Variables are found by their flat names, read late, and nothing else is found. */
import { expect, test } from "vitest";
import { activationFor } from "../../src/cel/activation.ts";
import { constantName } from "../../src/cel/scope.ts";
import { flatName } from "../../src/cel/variables.ts";
import { ATTRIBUTES } from "./attributes.ts";

test("a variable is what the exchange of the moment has", () => {
	const activation = activationFor([]);
	const read = (name: string): unknown => activation.bindings[flatName(name)];
	expect(read("req.method")).toBeUndefined();
	activation.attributes = ATTRIBUTES;
	expect(read("req.method")).toBe("POST");
	activation.attributes = { ...ATTRIBUTES, method: "GET" };
	expect(read("req.method")).toBe("GET");
});

test("what has to be taken apart is taken apart once in an evaluation", () => {
	const activation = activationFor([]);
	activation.attributes = ATTRIBUTES;
	const name = flatName("req.url.query_params");
	expect(activation.bindings[name]).toBe(activation.bindings[name]);
});

test("constants are found by number; names of Object are not found", () => {
	const constant = {};
	const { bindings } = activationFor([constant]);
	expect(bindings[constantName(0)]).toBe(constant);
	for (const name of ["constructor", "toString", "__proto__", "req.method", "attributes"]) {
		expect(bindings[name]).toBeUndefined();
	}
});
