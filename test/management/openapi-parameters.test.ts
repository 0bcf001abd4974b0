/** Parameters say what the server takes: ids and pages as `router.ts` and `resources/pages.ts` read them. */
import { expect, it } from "vitest";
import { LIMITS } from "../../src/limits/limits.ts";
import { idParameter, PAGE } from "../../src/management/openapi-parameters.ts";
import { backend, edge, expectError, startApi } from "./api.ts";

const schemaOf = (parameter: object) => (parameter as { schema: Record<string, unknown> }).schema;

it("ids have the pattern and the length that the server takes", async () => {
	const { pattern } = schemaOf(idParameter("edge_id"));
	const isId = (id: string) => new RegExp(String(pattern)).test(id);
	const api = await startApi();
	for (const id of [
		"a",
		"A.b_c-9",
		"ä",
		"a~b",
		"x".repeat(128),
		"x".repeat(129),
		"...",
		".a",
		"a..",
	]) {
		const { status } = await api.send("PUT", `/edges/https/${encodeURIComponent(id)}`, {
			body: { ...edge(`${id.length}.example`), description: backend.urls[0] },
		});
		expect([id, status]).toEqual([id, isId(id) ? (status === 201 ? 201 : 409) : 400]);
	}
});

it("pages have the bounds that the server takes", async () => {
	const { minimum, maximum } = schemaOf(PAGE[0] ?? {});
	expect(maximum).toBe(LIMITS.pageSize);
	const api = await startApi();
	for (const limit of [Number(minimum), Number(maximum)])
		expect((await api.send("GET", `/edges/https?limit=${limit}`)).status).toBe(200);
	for (const limit of [Number(minimum) - 1, Number(maximum) + 1])
		expectError(await api.send("GET", `/edges/https?limit=${limit}`), 400, "ERR_INVALID_QUERY");
});
