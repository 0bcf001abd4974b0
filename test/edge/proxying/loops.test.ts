/** Contract 6: a backend that leads back to weir costs a bounded number of rounds; several weirs in a row are no loop. */
import { afterEach, expect, it } from "vitest";
import { isLoop } from "../../../src/edge/proxying/loops.ts";
import { LIMITS } from "../../../src/limits/limits.ts";
import { ask, get, post, RawUpstream, startEdge, type TestEdge } from "../harness.ts";

const hops = (count: number, hop = "1.1 weir"): string[] => Array<string>(count).fill(hop);

let edge: TestEdge | undefined;
afterEach(() => edge?.close());

it.each(["1.1 weir", "HTTP/1.1 weir", " 1.1\t weir (edge of the west)"])("counts %j", (hop) => {
	expect(isLoop(hops(LIMITS.hops - 1, hop))).toBe(false);
	expect(isLoop(hops(LIMITS.hops, hop))).toBe(true);
	expect(isLoop([hops(LIMITS.hops, hop).join(",")])).toBe(true);
	expect(isLoop(hops(LIMITS.hops, `1.1 nginx, ${hop}, 1.0 fred`))).toBe(true);
});

it.each(["1.1 weird", "1.1 a.weir", "weir", "1.1 nginx (1.1 weir)", ""])("not %j", (hop) => {
	expect(isLoop(hops(100, hop))).toBe(false);
});

it.each([false, true])(
	"a backend that is weir itself is 508 after a few rounds, slow %s",
	async (withoutFront) => {
		edge = await startEdge({ urls: ["http://192.0.2.1"], withoutFront });
		edge.store.putRoute("e", "r", {
			match_type: "path_prefix",
			match: "/",
			backend: { urls: [`http://127.0.0.1:${edge.port}`] },
		});
		edge.edge.apply([{ kind: "route", edgeId: "e", routeId: "r" }]);
		for (const request of [get("/"), post("/", "body")]) {
			const { status, body } = await ask(edge.port, request);
			expect(status).toBe(508);
			expect(JSON.parse(body)).toEqual({
				error_code: "ERR_LOOP_DETECTED",
				status_code: 508,
				msg: "the backend leads back to this proxy",
			});
		}
		const { weir_loops_total, ...rest } = edge.metrics.snapshot();
		expect(weir_loops_total).toBe(2);
		expect(rest['weir_requests_total{class="5xx"}']).toBe(2 * (LIMITS.hops + 1));
		expect(edge.lines.filter(({ message }) => message.includes("leads back"))).toEqual([
			{
				level: "warn",
				message: "a backend leads back to weir",
				fields: {
					edge: "e",
					route: "r",
					backend: [`http://127.0.0.1:${edge.port}`],
					hops: LIMITS.hops,
				},
			},
		]);
	},
);

it("weirs in a row pass, and the request tells of each", async () => {
	const upstream = new RawUpstream();
	edge = await startEdge({ urls: [await upstream.listen()] });
	const via = hops(LIMITS.hops - 1).join(", ");
	expect((await ask(edge.port, get("/", `Via: ${via}`))).status).toBe(200);
	expect(upstream.requests[0]).toContain(`\r\nvia: ${via}\r\n`);
	expect(upstream.requests[0]).toContain("\r\nvia: 1.1 weir\r\n");
	expect((await ask(edge.port, get("/", `Via: ${via}`, "Via: 1.1 weir"))).status).toBe(508);
	expect(upstream.requests).toHaveLength(1);
	await upstream.close();
});
