/** The list of policies (contract 2). */
import { expect, it } from "vitest";
import { edge, expectError, route, startApi } from "../api.ts";

it("lists policies of all edges page by page, or those without a route alone", async () => {
	const api = await startApi();
	await api.send("PUT", "/edges/https/a", { body: edge("a.example") });
	for (const id of ["r1", "r3"])
		await api.send("PUT", `/edges/https/a/routes/${id}`, { body: route(`/${id}`) });
	for (const uri of ["a/routes/r1", "a/routes/r2", "a/routes/r3", "b/routes/r1", "a-b/routes/r9"])
		await api.send("PUT", `/edges/https/${uri}/policy`, { body: { enabled: false } });
	const walk = async (first: string): Promise<unknown[]> => {
		const found: unknown[] = [];
		for (let path = first; path; ) {
			const { status, json } = await api.send("GET", path);
			expect(status).toBe(200);
			expect(Object.keys(json)).toEqual(["policies", "next_page_uri"]);
			found.push(...json.policies);
			path = json.next_page_uri;
		}
		return found;
	};
	const entry = (edge_id: string, id: string, attached: boolean) => ({
		id,
		edge_id,
		uri: `/edges/https/${edge_id}/routes/${id}/policy`,
		attached,
	});
	const all = [
		entry("b", "r1", false),
		entry("a", "r3", true),
		entry("a", "r2", false),
		entry("a", "r1", true),
		entry("a-b", "r9", false),
	];
	const orphans = all.filter(({ attached }) => !attached);
	expect(await walk("/policies")).toEqual(all);
	expect(await walk("/policies?limit=1")).toEqual(all);
	expect(await walk("/policies?unattached=false&limit=2")).toEqual(all);
	expect(await walk("/policies?unattached=true")).toEqual(orphans);
	expect(await walk("/policies?unattached=true&limit=1")).toEqual(orphans);
	const page = await api.send("GET", "/policies?limit=2&unattached=true");
	expect(page.json.next_page_uri).toBe("/policies?limit=2&before_id=a/r2&unattached=true");
	for (const { uri } of orphans) expect((await api.send("DELETE", uri)).status).toBe(204);
	expect((await api.send("GET", "/policies?unattached=true")).json).toEqual({
		policies: [],
		next_page_uri: null,
	});
});

it.each(["unattached=yes", "unattached=", "before_id=a", "before_id=a/b/c", "limit=0"])(
	"?%s is refused",
	async (query) => {
		const api = await startApi();
		expectError(await api.send("GET", `/policies?${query}`), 400, "ERR_INVALID_QUERY");
	},
);
