/** The route that the data path would choose, why, and what was close. */
import { describe, expect, it } from "vitest";
import { findRoute } from "../../src/explain/route-finder.ts";
import type { RouteDocument } from "../../src/store/resources.ts";

const route = (match: string, exact = false): RouteDocument => ({
	match_type: exact ? "exact_path" : "path_prefix",
	match,
	backend: { urls: ["http://127.0.0.1:9"] },
});
const EDGES: Readonly<Record<string, readonly string[]>> = {
	any: ["*"],
	wild: ["*.example"],
	shop: ["shop.example", "shop.example:8443"],
	ported: ["port.test:9000"],
};
const ROUTES: Readonly<Record<string, RouteDocument>> = {
	all: route("/"),
	api: route("/api/"),
	login: route("/api/login", true),
	other: route("/apx"),
};
const reader = {
	*edges() {
		for (const [edgeId, hostports] of Object.entries(EDGES))
			yield { edgeId, document: { hostports: [...hostports], description: "", metadata: "" } };
	},
	*routes(edgeId = "") {
		if (edgeId === "wild") return;
		for (const [routeId, document] of Object.entries(ROUTES)) yield { edgeId, routeId, document };
	},
};

function found(host: string, rawPath: string) {
	const asked = { host, rawPath, method: "GET", scheme: "http" as const, port: 8080 };
	const steps = findRoute(reader, asked);
	for (;;) {
		const step = steps.next();
		if (step.done === true) return step.value;
	}
}

describe("a route", () => {
	it.each([
		["shop.example", "/", "shop", "all"],
		["SHOP.example:80", "/api/x", "shop", "api"],
		["shop.example", "/api/./login", "shop", "login"],
		["other.test", "/api/login/", "any", "api"],
		["port.test:9000", "/x", "ported", "all"],
	])("of %s%s", (host, path, edge, id) => {
		expect(found(host, path).chosen).toMatchObject({ edge_id: edge, route_id: id, reached: true });
	});

	it.each([
		["a.example", "/x"],
		["bad host", "/x"],
		["shop.example", "/%00"],
	])("is not there for %s%s", (host, path) => {
		expect(found(host, path).chosen).toBeUndefined();
	});

	it("comes with why, and with why not the others", () => {
		const { chosen, near } = found("shop.example", "/api/login");
		expect(chosen?.why).toBe(
			"The host shop.example is the hostport shop.example of the edge shop, and the path is exactly /api/login.",
		);
		expect(near.map(({ edge_id, route_id, why_not }) => [edge_id, route_id, why_not])).toEqual([
			["shop", "api", "An exact path comes before it."],
			["shop", "all", "An exact path comes before it."],
			["shop", "other", "The path /api/login does not begin with /apx."],
			["any", null, "shop.example of the edge shop is closer to the host."],
			["wild", null, "shop.example of the edge shop is closer to the host."],
		]);
	});

	it("names ports that others are for", () => {
		const { near } = found("port.test", "/");
		expect(near.at(-1)?.why_not).toContain("is closer to the host");
	});
});
