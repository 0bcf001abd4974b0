/** Bodies are JSON, and YAML where a resource takes it; parameters and case do not matter. */
import { expect, test } from "vitest";
import { isYaml, mediaTypeMistake } from "../../../src/management/http/media-types.ts";
import type { ApiRequest } from "../../../src/management/http/request.ts";

const request = (...types: string[]) =>
	({ headers: () => types }) as Partial<ApiRequest> as ApiRequest;

test.each<[string[], boolean, boolean]>([
	[["application/json"], true, true],
	[["Application/JSON; charset=utf-8"], true, true],
	[["application/yaml"], false, true],
	[["text/yaml ;x=y"], false, true],
	[["application/yamlish"], false, false],
	[["text/plain"], false, false],
	[[], false, false],
	[["application/json", "application/yaml"], false, false],
])("%j", (types, alone, withYaml) => {
	expect(mediaTypeMistake(request(...types), false) === undefined).toBe(alone);
	expect(mediaTypeMistake(request(...types), true) === undefined).toBe(withYaml);
});

test("says what is taken", () => {
	expect(mediaTypeMistake(request("a/b"), false)).toBe(
		"The content-type must be application/json.",
	);
	expect(mediaTypeMistake(request("a/b"), true)).toContain("application/yaml");
	expect([isYaml(request("text/yaml")), isYaml(request("application/json"))]).toEqual([
		true,
		false,
	]);
});
