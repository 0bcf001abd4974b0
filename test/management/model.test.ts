/**
 * Several clients at once against a model (contract 2, "last commit wins"). Each client owns some routes
 * and knows exactly what it must see there; all fight over one shared route, where every answer must be
 * something that somebody wrote, and conditional writes must never both win.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { everyPolicy } from "../store/every-policy.ts";
import { type Api, startApi } from "./api.ts";

const CLIENTS = 4;
const path = (routeId: string) => `/edges/https/e/routes/${routeId}/policy`;
const policy = (name: string) => ({ inbound: [{ name, actions: [{ type: "deny" }] }] });

type Step = {
	readonly act: "put" | "delete" | "get";
	readonly route: number;
	readonly name: number;
};

const step: fc.Arbitrary<Step> = fc.record({
	act: fc.constantFrom("put", "put", "delete", "get"),
	route: fc.nat(2),
	name: fc.nat(1000),
});

async function ownRoutes(
	api: Api,
	client: number,
	steps: readonly Step[],
): Promise<Map<string, string>> {
	const model = new Map<string, string>();
	for (const { act, route, name } of steps) {
		const id = `${client}-${route}`;
		if (act === "put") {
			const answer = await api.send("PUT", path(id), { body: policy(`${name}`) });
			expect(answer).toMatchObject({ status: 200, json: policy(`${name}`) });
			model.set(id, answer.text);
		} else if (act === "delete") {
			expect((await api.send("DELETE", path(id))).status).toBe(model.delete(id) ? 204 : 404);
		} else {
			const answer = await api.send("GET", path(id));
			expect(answer.status).toBe(model.has(id) ? 200 : 404);
			if (model.has(id)) expect(answer.text).toBe(model.get(id));
		}
	}
	return model;
}

it("each client reads its own writes; what is left is what the models say", async () => {
	const plans = fc.array(fc.array(step, { maxLength: 15 }), {
		minLength: CLIENTS,
		maxLength: CLIENTS,
	});
	await fc.assert(
		fc.asyncProperty(plans, async (plan) => {
			const api = await startApi();
			const models = await Promise.all(plan.map((steps, client) => ownRoutes(api, client, steps)));
			const expected = new Map(models.flatMap((model) => [...model]));
			api.store.refresh();
			const found = new Map(
				[...everyPolicy(api.store)].map(({ routeId, document }) => [
					routeId,
					JSON.stringify(document),
				]),
			);
			expect([...found].sort()).toEqual([...expected].sort());
			await api.close();
		}),
		{ numRuns: 12 },
	);
}, 120_000);

it("of clients that count one number up with etags none loses a step", async () => {
	const api = await startApi();
	const rounds = 10;
	await api.send("PUT", path("shared"), { body: policy("0") });
	const countUp = async () => {
		for (let done = 0; done < rounds; ) {
			const now = await api.send("GET", path("shared"));
			const next = Number(now.json.inbound[0].name) + 1;
			const headers = { "if-match": now.headers.get("etag") ?? "" };
			const { status } = await api.send("PUT", path("shared"), {
				body: policy(`${next}`),
				headers,
			});
			expect([200, 412]).toContain(status);
			if (status === 200) done += 1;
		}
	};
	await Promise.all(Array.from({ length: CLIENTS }, countUp));
	const last = await api.send("GET", path("shared"));
	expect(last.json.inbound[0].name).toBe(String(CLIENTS * rounds));
}, 60_000);

it("only one of many clients creates what all want to create", async () => {
	const api = await startApi();
	const hosts = await Promise.all(
		Array.from({ length: 16 }, (_, index) =>
			api.send("PUT", `/edges/https/e${index}`, { body: { hostports: ["one.example"] } }),
		),
	);
	expect(hosts.filter(({ status }) => status === 201)).toHaveLength(1);
	expect(hosts.filter(({ status }) => status === 409)).toHaveLength(15);
	const policies = await Promise.all(
		Array.from({ length: 16 }, (_, index) =>
			api.send("PUT", path("new"), { body: policy(`${index}`), headers: { "if-none-match": "*" } }),
		),
	);
	expect(policies.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(policies.filter(({ status }) => status === 412)).toHaveLength(15);
});
