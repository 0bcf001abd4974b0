import { afterEach, expect, it } from "vitest";
import { type Server, startServer } from "./harness.ts";

let server: Server | undefined;
afterEach(async () => {
	await server?.cleanUp();
});

it("smokes", async () => {
	server = await startServer({ workers: 1 });
	await server.route(9);
	await server.policy({ inbound: [{ actions: [{ type: "deny" }] }] });
	for (let i = 0; i < 5; i++) {
		const answer = await server.get(`/a/${i}`, { connection: "keep-alive" });
		console.log(answer);
	}
	console.log(await server.metric("weir_standing_refusals_total"));
	await server.policy({
		inbound: [
			{
				actions: [
					{
						type: "rate-limit",
						config: {
							name: "n",
							capacity: 2,
							rate: "60s",
							bucket_key: ["conn.client_ip", "req.headers['x-k']"],
						},
					},
					{ type: "custom-response", config: { content: "in" } },
				],
			},
		],
	});
	for (let i = 0; i < 6; i++) {
		const answer = await server.get(`/a/${i}`, { connection: "keep-alive", "x-k": "a" });
		console.log(answer);
	}
	console.log(await server.metric("weir_standing_refusals_total"));
	console.log(
		(await server.api("GET", "/metrics")).body
			.split("\n")
			.filter((l) => /^weir_(requests|policy|rule|rate|route|body)/.test(l))
			.join("\n"),
	);
});
