/** Policies in YAML, and in the envelope of published clients, are the policies of their routes (contract 2). */
import { describe, expect, it } from "vitest";
import { expectError, POLICY, problemsOf, startApi } from "../api.ts";

const TRAFFIC_POLICY = POLICY.replace(/policy$/, "traffic_policy");
const YAML = `on_http_request:
  - expressions: ["req.method == 'PUT'"]
    actions:
      - type: custom-response
        config: {status_code: 405, body: no}
`;
const STORED = {
	enabled: true,
	inbound: [
		{
			name: "",
			expressions: ["req.method == 'PUT'"],
			actions: [{ type: "custom-response", config: { status_code: 405, content: "no" } }],
		},
	],
	outbound: [],
};

describe("a policy in YAML", () => {
	it.each(["application/yaml", "text/yaml; charset=utf-8", "Application/YAML"])(
		"as %s",
		async (type) => {
			const api = await startApi();
			const put = await api.send("PUT", POLICY, { body: YAML, headers: { "content-type": type } });
			expect(put).toMatchObject({ status: 200, json: STORED });
			expect((await api.send("GET", POLICY)).json).toEqual(STORED);
		},
	);

	it("tells where it is no YAML, and other resources take none", async () => {
		const api = await startApi();
		const headers = { "content-type": "application/yaml" };
		const bad = await api.send("PUT", POLICY, { body: "inbound: [\n  {a: !!js x}]", headers });
		expectError(bad, 400, "ERR_INVALID_JSON");
		expect(bad.text).toContain("The body is not valid YAML: line 2, column");
		for (const body of ["a: 1\na: 2", "a: &x [*x]"])
			expect((await api.send("PUT", POLICY, { body, headers })).status).toBe(400);
		const edge = await api.send("PUT", "/edges/https/e", { body: "hostports: []", headers });
		expectError(edge, 415, "ERR_UNSUPPORTED_MEDIA_TYPE");
	});
});

describe("traffic_policy", () => {
	it.each([
		[{ value: YAML }, true],
		[{ enabled: false, value: YAML }, false],
		[{ enabled: true, value: JSON.stringify(STORED) }, true],
		[{ value: JSON.stringify({ ...STORED, enabled: false }) }, false],
		[{ enabled: false, value: JSON.stringify({ ...STORED, enabled: false }) }, false],
	])("%j", async (body, enabled) => {
		const api = await startApi();
		const put = await api.send("PUT", TRAFFIC_POLICY, { body });
		const stored = { ...STORED, enabled };
		expect(put).toMatchObject({ status: 200, json: { enabled, value: JSON.stringify(stored) } });
		const [get, policy] = [await api.send("GET", TRAFFIC_POLICY), await api.send("GET", POLICY)];
		expect(get.text).toBe(put.text);
		expect(policy.json).toEqual(stored);
		expect(get.headers.get("etag")).toBe(policy.headers.get("etag"));
		// what was answered may be put again
		const again = await api.send("PUT", TRAFFIC_POLICY, { body: get.json });
		expect(again.headers.get("etag")).toBe(get.headers.get("etag"));
	});

	it("deletes, and is not there without a policy", async () => {
		const api = await startApi();
		expectError(await api.send("GET", TRAFFIC_POLICY), 404, "ERR_POLICY_NOT_FOUND");
		await api.send("PUT", POLICY, { body: STORED });
		const { headers } = await api.send("GET", TRAFFIC_POLICY);
		const other = { headers: { "if-match": '"other"' } };
		expectError(await api.send("DELETE", TRAFFIC_POLICY, other), 412, "ERR_PRECONDITION_FAILED");
		const own = { headers: { "if-match": headers.get("etag") ?? "" } };
		expect((await api.send("DELETE", TRAFFIC_POLICY, own)).status).toBe(204);
		expectError(await api.send("GET", POLICY), 404, "ERR_POLICY_NOT_FOUND");
	});

	it.each<[object, string]>([
		[{}, "/value"],
		[{ value: 5 }, "/value"],
		[{ value: "{}", enable: true }, "/enable"],
		[{ value: '{"on_http_request": [{"actions": []}]}' }, "/value/on_http_request/0/actions"],
		[{ enabled: true, value: '{"enabled": false}' }, "/enabled"],
	])("tells what is wrong with %j, and where", async (body, pointer) => {
		const api = await startApi();
		const problems = problemsOf(await api.send("PUT", TRAFFIC_POLICY, { body }));
		expect(problems.map(([at]) => at)).toEqual([pointer]);
	});

	it("tells where the text is neither JSON nor YAML", async () => {
		const api = await startApi();
		const answer = await api.send("PUT", TRAFFIC_POLICY, { body: { value: '{"inbound": [}' } });
		expectError(answer, 400, "ERR_INVALID_JSON");
		expect(answer.text).toContain(
			"The text at /value is not valid JSON or YAML: line 1, column 14",
		);
	});
});
