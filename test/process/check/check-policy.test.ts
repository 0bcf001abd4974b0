/** Policies in files are judged as the API judges them, by the bounds of a config where there is one. */
import { expect, it } from "vitest";
import { parseYaml } from "../../../src/documents/yaml.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { boundsOf, checkPolicy } from "../../../src/process/check/check-policy.ts";
import { NO_FILE } from "../../../src/process/config/config-file.ts";
import { judgeConfig } from "../../../src/process/config/load-config.ts";

const sources = { flags: {}, environment: {}, workingDirectory: "/cwd" };
const configWith = (limits: object) => {
	const { config } = judgeConfig(NO_FILE, sources);
	return { ...config, limits: { ...config.limits, ...limits } };
};
const judge = (text: string, bounds = boundsOf(undefined)) => {
	const bytes = new TextEncoder().encode(text);
	const parsed = parseYaml(bytes);
	if (!parsed.ok) throw new Error(parsed.error.message);
	return checkPolicy(parsed.value, bytes.byteLength, bounds);
};

it("has pointer and place of errors and warnings", () => {
	expect(judge("inbound:\n- actions: [{type: denny}]\n")).toEqual([
		{
			severity: "error",
			pointer: "/inbound/0/actions/0/type",
			position: { line: 2, column: 14 },
			message: expect.stringContaining('did you mean "deny"?'),
		},
	]);
	const get = "inbound:\n- expressions: [req.method == 'get']\n  actions: [{type: deny}]\n";
	expect(judge(get)).toMatchObject([{ severity: "warning", position: { line: 2, column: 17 } }]);
	expect(judge("module: {inbound: []}")).toEqual([]);
});

it("goes by the config's bounds of rules and bytes", () => {
	const rule = "- actions: [{type: deny}]\n";
	const many = `outbound: []\ninbound:\n${rule.repeat(LIMITS.rulesPerPhase + 1)}`;
	const errors = (text: string, limits?: object) =>
		judge(text, boundsOf(limits === undefined ? undefined : configWith(limits)))
			.filter(({ severity }) => severity === "error")
			.map(({ message }) => message);
	expect(errors(many)).toEqual([expect.stringContaining(String(LIMITS.rulesPerPhase))]);
	expect(errors(many, { rules: 1000 })).toEqual([]);
	const large = `# ${"x".repeat(LIMITS.policyBytes)}\ninbound: []\n`;
	const tooLarge = `has ${large.length} bytes, more than limits.policy_bytes (${LIMITS.policyBytes})`;
	expect(errors(large)).toEqual([tooLarge]);
	expect(errors(large, { policyBytes: 2 * LIMITS.policyBytes })).toEqual([]);
});

it("knows beside a config what is always empty", () => {
	const sni = "inbound:\n- expressions: [conn.tls.sni == 'a']\n  actions: [{type: deny}]\n";
	expect(judge(sni)).toEqual([]);
	expect(judge(sni, boundsOf(configWith({})))).toMatchObject([
		{ severity: "warning", message: expect.stringContaining("no listener has TLS") },
	]);
});
