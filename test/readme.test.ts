/** README.md says what is true: its examples are valid, its tables complete. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../src/config.ts";
import { ERROR_CODES } from "../src/error-codes.ts";
import { LIMITS } from "../src/limits/limits.ts";
import { validatePolicy } from "../src/policy/validate.ts";
import { COMMANDS } from "../src/process/commands/commands.ts";

const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
const blocks = (language: string): string[] =>
	[...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
		([, text = ""]) => text,
	);

describe("README.md", () => {
	it("lists every error code with its status", () => {
		for (const [code, { status }] of Object.entries(ERROR_CODES))
			expect(readme).toMatch(
				new RegExp(`\`${code}\`[^\\n]*\\b${status}\\b|\\b${status}\\b[^\\n]*\`${code}\``),
			);
	});

	it("shows a config file that is valid and shows every section", () => {
		const config = blocks("yaml")
			.map((text) => parse(text))
			.find((value) => "listen" in value);
		expect(configSchema.safeParse(config)).toMatchObject({ success: true });
		expect(Object.keys(config).sort()).toEqual(Object.keys(configSchema.shape).sort());
	});

	it("shows policies that are valid and not warned of", () => {
		const policies = blocks("json")
			.map((text) => JSON.parse(text))
			.filter((value) => "inbound" in value);
		expect(policies.length).toBeGreaterThan(0);
		for (const policy of policies)
			expect(validatePolicy(policy, { rulesPerPhase: LIMITS.rulesPerPhase })).toMatchObject({
				ok: true,
				value: { warnings: [] },
			});
	});

	it("names every command", () => {
		for (const { name } of COMMANDS) expect(readme).toContain(`weir ${name}`);
	});
});
