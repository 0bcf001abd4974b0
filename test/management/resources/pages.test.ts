/** Lists and their pages (contract 2). */

import { describe, expect, it } from "vitest";
import { edge, expectError, route, startApi } from "../api.ts";

describe("lists", () => {
	it("go through all pages, highest id first", async () => {
		const api = await startApi();
		const ids = ["a", "A", "b-1", "b.1", "b_1", "z"];
		for (const id of ids) {
			await api.send("PUT", `/edges/https/${id}`, {
				body: edge(
					`${id.codePointAt(0)}-${id.length}${id.charCodeAt(1)}.example`.replace("NaN", "0"),
				),
			});
		}
		const found: string[] = [];
		let path = "/edges/https?limit=2";
		while (path) {
			const { json } = await api.send("GET", path);
			expect(Object.keys(json)).toEqual(["edges", "next_page_uri"]);
			expect(json.edges.length).toBe(2);
			found.push(...json.edges.map(({ id }: { id: string }) => id));
			path = json.next_page_uri;
		}
		expect(path).toBeNull();
		expect(found).toEqual([...ids].sort().reverse());
		const below = await api.send("GET", "/edges/https?before_id=b-1");
		expect(below.json.edges.map(({ id }: { id: string }) => id)).toEqual(["a", "A"]);
		await api.send("PUT", "/edges/https/a/routes/r1", { body: route("/1") });
		await api.send("PUT", "/edges/https/a/routes/r2", { body: route("/2") });
		const routes = await api.send("GET", "/edges/https/a/routes?limit=1");
		expect(routes.json).toMatchObject({
			routes: [{ id: "r2", edge_id: "a", match: "/2" }],
			next_page_uri: "/edges/https/a/routes?limit=1&before_id=r2",
		});
		expect((await api.send("GET", routes.json.next_page_uri)).json.next_page_uri).toBeNull();
	});

	it.each([
		"limit=0",
		"limit=101",
		"limit=-1",
		"limit=x",
		"limit=",
		"limit=1.5",
		"limit=1&limit=2",
		"before_id=",
		"before_id=a%20b",
		`before_id=${"a".repeat(129)}`,
	])("?$0 is refused", async (query) => {
		const api = await startApi();
		expectError(await api.send("GET", `/edges/https?${query}`), 400, "ERR_INVALID_QUERY");
	});
});
