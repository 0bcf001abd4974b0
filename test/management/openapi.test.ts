/**
 * The published description is whole: OpenAPI 3.1 by its own schema, every reference leads somewhere, every operation of
 * the server is in it. What it says of answers is held by `test/e2e/openapi.test.ts`.
 */
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import type { Context } from "../../src/management/context.ts";
import { openApiDocument } from "../../src/management/openapi.ts";
import { routesOf } from "../../src/management/routes.ts";
import { startApi } from "./api.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into
const document: any = JSON.parse(JSON.stringify(openApiDocument({ rulesPerPhase: 700 })));

it("is OpenAPI 3.1, as its schema has it", async () => {
	const { valid, errors } = await new Validator().validate(structuredClone(document));
	expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

it("has no reference that leads nowhere", () => {
	const text = JSON.stringify(document);
	const names = [...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, name]) => name ?? "");
	expect(names.length).toBeGreaterThan(10);
	for (const name of names) {
		const [, , kind = "", last = ""] = name.split("/");
		expect(["schemas", "responses"]).toContain(kind);
		expect(document.components[kind]).toHaveProperty([last]);
	}
	for (const kind of ["schemas", "responses"])
		for (const name of Object.keys(document.components[kind]))
			expect(names).toContain(`#/components/${kind}/${name}`);
	expect(JSON.stringify(document.components)).not.toContain("$schema");
	expect(document.components.schemas.Policy.properties.inbound.maxItems).toBe(700);
});

it("describes every operation of the server", () => {
	for (const { pattern, methods } of routesOf({ limits: { rules: 1 } } as Context))
		for (const method of Object.keys(methods))
			expect(
				document.paths[pattern]?.[method.toLowerCase()],
				`${method} ${pattern} is not described: give it a row in src/management/openapi.ts`,
			).toBeDefined();
});

it("names each operation once", () => {
	// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into
	const operations = Object.values<any>(document.paths).flatMap(Object.values);
	const ids = operations.map(({ operationId }) => operationId).filter(Boolean);
	expect(ids.length).toBeGreaterThan(20);
	expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
});

it("describes the paths and methods that the server has, and no others", async () => {
	const api = await startApi();
	for (const [path, operations] of Object.entries(document.paths)) {
		const real = path.replace(/\{[a-z_]+\}/g, "r");
		const answer = await api.send("PATCH", real);
		expect(answer.status, path).toBe(405);
		const methods = (answer.headers.get("allow") ?? "").toLowerCase().split(", ");
		const described = Object.keys(operations as object).filter((name) => name !== "parameters");
		expect(described.sort()).toEqual(methods.filter((name) => name !== "head").sort());
	}
});

it("says which answers carry warnings", () => {
	const headersOf = (path: string, status: string) =>
		Object.keys(document.paths[path].put.responses[status].headers).filter((name) =>
			name.includes("warning"),
		);
	const route = "/edges/https/{edge_id}/routes/{id}";
	for (const path of [`${route}/policy`, `${route}/traffic_policy`])
		expect(headersOf(path, "200")).toEqual(["policy-warnings", "policy-warning"]);
	for (const status of ["200", "201"])
		expect(headersOf(route, status)).toEqual(["route-warnings", "route-warning"]);
	expect(headersOf("/edges/https/{edge_id}", "200")).toEqual([]);
	const names = document.paths["/policies"].get.parameters.map(
		({ name }: { name: string }) => name,
	);
	expect(names).toEqual(["limit", "before_id", "unattached", "If-Match", "If-None-Match"]);
});

it("lets only health and the page's files through without a key", () => {
	expect(document.security).toEqual([{ bearer: [] }]);
	// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into
	const open = Object.entries<any>(document.paths).filter(
		([, { get }]) => get?.security?.length === 0,
	);
	expect(open.map(([path]) => path)).toEqual(["/ui/{key}", "/healthz"]);
});
