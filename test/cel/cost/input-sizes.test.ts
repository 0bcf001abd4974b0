/** Sizes of variables: every one that has a size is there, and none is smaller than what the edge lets in. */
import { describe, expect, it } from "vitest";
import { type Type, typeName } from "../../../src/cel/check/types.ts";
import { VARIABLES } from "../../../src/cel/check/variables.ts";
import { largest } from "../../../src/cel/cost/bound.ts";
import { INPUT_BOUNDS, INPUTS, Inputs } from "../../../src/cel/cost/input-sizes.ts";
import { countOf } from "../../../src/cel/cost/part.ts";
import { type Size, weight } from "../../../src/cel/cost/size.ts";
import { LIMITS } from "../../../src/limits/limits.ts";

/** Has the size a place for everything that the type holds? */
function fits(type: Type, size: Size): boolean {
	switch (type.kind) {
		case "list":
			return size.element !== undefined && fits(type.element, size.element);
		case "map":
			return size.key !== undefined && size.element !== undefined && fits(type.value, size.element);
		case "dyn":
			return size.isTree === true;
		case "record":
			return size.element !== undefined && largest(size.each) >= type.fields.size;
		default:
			return size.element === undefined;
	}
}

describe("variables", () => {
	it.each([...VARIABLES.values()].map(({ name, type }) => [name, type] as const))(
		"%s has a size of its type's shape",
		(name, type) => {
			const size = INPUTS.sizeOf(name);
			expect([typeName(type), fits(type, size)]).toEqual([typeName(type), true]);
			if (type.kind === "string") expect(largest(countOf(size))).toBeGreaterThan(1);
		},
	);

	it("of the request grow with what is admitted of it", () => {
		const larger = new Inputs({ ...INPUT_BOUNDS, requestHeaderBytes: 1_048_576 });
		for (const name of ["req.headers", "req.url.query_params", "req.cookies", "req.user_agent"]) {
			const [size, largerSize] = [INPUTS.sizeOf(name), larger.sizeOf(name)];
			expect(largest(weight(largerSize))).toBeGreaterThan(largest(weight(size)));
		}
		expect(larger.readingCost("req.cookies")).toBeGreaterThan(INPUTS.readingCost("req.cookies"));
	});

	it("have room for a header of full size in one line, and no more than its characters in all", () => {
		const headers = INPUTS.sizeOf("req.headers");
		const values = headers.element?.element;
		expect(largest(values?.each ?? 0)).toBeGreaterThanOrEqual(LIMITS.requestHeaderBytes);
		expect(largest(values?.all ?? 0)).toBe(largest(values?.each ?? 0));
		const parameters = largest(countOf(INPUTS.sizeOf("req.url.query_params")));
		expect(parameters).toBeGreaterThanOrEqual(LIMITS.requestHeaderBytes / 2);
	});

	it("that are numbers take nothing to read", () => {
		expect(INPUTS.readingCost("req.url.port")).toBe(0);
		expect(largest(weight(INPUTS.sizeOf("req.url.port")))).toBe(1);
	});
});
