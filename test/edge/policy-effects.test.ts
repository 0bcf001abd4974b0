/** Rules that only report: counted, logged with their place, and nothing else comes of them (contract 4). */
import { afterAll, beforeAll, expect, it } from "vitest";
import { compiled } from "../policy/support.ts";
import { ask, get, RawUpstream, startEdge, type TestEdge } from "./harness.ts";

const upstream = new RawUpstream();
let edge: TestEdge;
beforeAll(async () => {
	edge = await startEdge({ urls: [await upstream.listen()] });
});
afterAll(async () => {
	await edge.close();
	await upstream.close();
});

it("a request passes as it came, and its line says what would have become of it", async () => {
	const policy = compiled({
		inbound: [
			{
				name: "new path",
				enforce: false,
				actions: [{ type: "url-rewrite", config: { from: "/old", to: "/new" } }],
			},
			{ name: "closed", enforce: false, actions: [{ type: "deny" }] },
		],
		outbound: [
			{ enforce: false, actions: [{ type: "custom-response", config: { content: "x" } }] },
		],
	});
	edge.setPolicy({
		inbound: (exchange) => policy.inbound(exchange),
		outbound: (exchange) => policy.outbound(exchange),
	});
	upstream.requests.length = 0;
	edge.lines.length = 0;
	const response = await ask(edge.port, get("/old"));
	expect(response.status).toBe(200);
	expect(upstream.requests[0]).toMatch(/^GET \/old HTTP/);
	const line = edge.lines.find((each) => JSON.stringify(each).includes("would_deny"));
	expect(JSON.stringify(line)).toContain(
		JSON.stringify([
			{ report: "would_url_rewrite", phase: "inbound", rule: 0, rule_name: "new path", action: 0 },
			{ report: "would_deny", phase: "inbound", rule: 1, rule_name: "closed", action: 0 },
			{ report: "would_custom_response", phase: "outbound", rule: 0, rule_name: "", action: 0 },
		]),
	);
	const reports = Object.entries(edge.metrics.snapshot()).filter(([name]) =>
		name.startsWith("weir_policy_reports_total"),
	);
	expect(reports).toHaveLength(3);
	expect(edge.metrics.snapshot()['weir_policy_outcomes_total{outcome="deny"}'] ?? 0).toBe(0);
});
