/** README.md and the papers in docs/ say what is true: their examples are valid, their tables complete. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../src/config.ts";
import { ERROR_CODES } from "../src/error-codes.ts";
import { LIMITS } from "../src/limits/limits.ts";
import { validatePolicy } from "../src/policy/document/validate.ts";
import { COMMANDS } from "../src/process/commands/commands.ts";
import { edgeSchema, routeSchema } from "../src/store/resources.ts";

const paper = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");
const blocks = (path: string, language: string): string[] =>
	[...paper(path).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
		([, text = ""]) => text,
	);

describe("the papers", () => {
	it("list every error code with its status", () => {
		for (const [code, { status }] of Object.entries(ERROR_CODES))
			expect(paper("docs/management-api.md")).toContain(`| \`${code}\` | ${status} |`);
	});

	it("show config files that are valid, the first of them every section", () => {
		const [first, ...others] = blocks("docs/configuration.md", "yaml").map((text) => parse(text));
		expect(Object.keys(first).sort()).toEqual(Object.keys(configSchema.shape).sort());
		expect(others.length).toBeGreaterThan(0);
		for (const config of [first, ...others])
			expect(configSchema.safeParse(config)).toMatchObject({ success: true });
	});

	it.each(["README.md", "docs/management-api.md"])(
		"%s shows policies that are valid and not warned of",
		(path) => {
			const policies = blocks(path, "json")
				.map((text) => JSON.parse(text))
				.filter((value) => "inbound" in value);
			expect(policies.length).toBeGreaterThan(0);
			for (const policy of policies)
				expect(validatePolicy(policy, { rulesPerPhase: LIMITS.rulesPerPhase })).toMatchObject({
					ok: true,
					value: { warnings: [] },
				});
		},
	);

	it("show edges and routes that are valid", () => {
		const documents = blocks("docs/management-api.md", "json").map((text) => JSON.parse(text));
		const edges = documents.filter((value) => "hostports" in value);
		const routes = documents.filter((value) => "match_type" in value);
		expect(edges.map((value) => edgeSchema.safeParse(value).success)).toEqual([true]);
		expect(routes.map((value) => routeSchema.safeParse(value).success)).toEqual([true]);
	});

	it.each(["README.md", "docs/contract.md"])("%s names every command", (path) => {
		for (const { name } of COMMANDS) expect(paper(path)).toContain(`weir ${name}`);
	});

	it("README.md stays short", () => {
		expect(paper("README.md").split("\n").length).toBeLessThanOrEqual(151);
	});
});
