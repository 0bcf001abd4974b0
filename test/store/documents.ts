/** Small valid documents for the store's tests. */
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import type { EdgeDocument, RouteDocument } from "../../src/store/resources.ts";

export const edgeOf = (...hostports: string[]): EdgeDocument => ({
	hostports,
	description: "",
	metadata: "",
});

export const routeOf = (match: string, url = "http://127.0.0.1:9000"): RouteDocument => ({
	match_type: "path_prefix",
	match,
	backend: { urls: [url] },
});

export const policyOf = (name: string): PolicyDocument => ({
	enabled: true,
	inbound: [{ name, expressions: [], actions: [{ type: "deny", config: {} }] }],
	outbound: [],
});
