/** `POST /policy/check`: what PUT would say, with places, and nothing is changed. */
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/management/api-keys.ts";
import { expectError, POLICY, startApi } from "../api.ts";

const CHECK = "/policy/check";
const deny = { actions: [{ type: "deny" }] };

describe("a check", () => {
	it("says what PUT would refuse, and where", async () => {
		const api = await startApi();
		const body =
			'{\n "inbound": [\n  {"expressions": ["req.methd == \'GET\'"],\n   "actions": []}]\n}';
		const check = await api.send("POST", CHECK, { body });
		expect([check.status, check.json.valid]).toEqual([200, false]);
		const put = await api.send("PUT", POLICY, { body });
		const told = ({ pointer, code, message }: Record<string, string>) => ({
			pointer,
			code,
			message,
		});
		expect(check.json.problems.map(told)).toEqual(put.json.problems);
		const [expression] = check.json.problems.filter(
			({ pointer }: { pointer: string }) => pointer === "/inbound/0/expressions/0",
		);
		expect(expression.range).toEqual({ line: 3, column: 20, end_line: 3, end_column: 40 });
	});

	it("says what PUT would warn of", async () => {
		const api = await startApi();
		const body = { inbound: [{ expressions: ["false"], ...deny }] };
		const { json } = await api.send("POST", CHECK, { body });
		expect(json).toMatchObject({ valid: true, problems: [] });
		expect(json.warnings[0]).toMatchObject({ pointer: expect.stringMatching("^/inbound/0") });
		expect(json.warnings[0].range.line).toBe(1);
	});

	it("reads YAML, and tells where a text stops being one", async () => {
		const api = await startApi();
		const headers = { "content-type": "application/yaml" };
		const good = "inbound:\n  - expressions: [req.methd == 'GET']\n    actions: [{type: deny}]\n";
		const { json } = await api.send("POST", CHECK, { body: good, headers });
		expect(json.problems).toMatchObject([{ range: { line: 2, column: 19, end_column: 37 } }]);
		const bad = await api.send("POST", CHECK, { body: "inbound:\n\t- x", headers });
		expect(bad.json).toMatchObject({
			...{ valid: false, warnings: [] },
			problems: [{ pointer: "", code: "invalid_text", range: { line: 2, column: 1 } }],
		});
		const broken = await api.send("POST", CHECK, { body: '{"inbound": [' });
		expect(broken.json.problems).toMatchObject([{ code: "invalid_text", range: { line: 1 } }]);
	});

	it("knows which address lists there are", async () => {
		const api = await startApi();
		const restrict = { type: "restrict-ips", config: { lists: ["office"] } };
		const body = { inbound: [{ actions: [restrict] }] };
		const missing = await api.send("POST", CHECK, { body });
		expect(missing.json).toMatchObject({
			valid: false,
			problems: [{ code: "unknown_ip_list", range: { line: 1 } }],
		});
		await api.send("PUT", "/ip-lists/office", { body: { entries: [] } });
		expect((await api.send("POST", CHECK, { body })).json.valid).toBe(true);
	});

	it("changes nothing, and is no change: a key that may read will do, and no audit line tells of it", async () => {
		const api = await startApi();
		const { key } = await createApiKey(api.store, "", { role: "read" });
		const { status } = await api.send("POST", CHECK, { body: { inbound: [deny] }, key });
		expect(status).toBe(200);
		expect([api.published, api.audited]).toEqual([[], []]);
		expect(api.store.policy("e", "r")).toBeUndefined();
		expectError(await api.send("POST", CHECK, { body: {}, key: null }), 401, "ERR_UNAUTHORIZED");
	});

	it("is bounded as a PUT is", async () => {
		const api = await startApi();
		const body = " ".repeat(1_048_577);
		expectError(await api.send("POST", CHECK, { body }), 413, "ERR_BODY_TOO_LARGE");
	});
});
