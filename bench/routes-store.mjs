/**
 * A store of many routes for `routes.mjs`, made by the store's own writer: distinct modules of two or three
 * rules each, as people write them, spread over edges of equal size.
 */
import { join } from "node:path";

/** writes that wait for their commits at the same time; more would only take memory */
const IN_FLIGHT = 2048;

/** what modules answer, unlike anything that the edge says of its own */
export const ANSWER = 418;

/**
 * `first`: the number of the first route, which says of what kind its module is; 0 where it is not said.
 * @typedef {{ routes: number, edges: number, first?: number }} Spread
 * @typedef {Spread & { withModules: boolean, backend: string }} Shape
 */

/** @param {string} name @param {string[]} expressions @param {string} type @param {object} config */
const rule = (name, expressions, type, config = {}) => ({
	name,
	expressions,
	actions: [{ type, config }],
});

/** Route `n` has a module of kind `n % KINDS`. */
export const KINDS = 6;

/** What differs between modules are the constants, as where one tool wrote them all. */
/** @type {((n: number) => ReturnType<typeof rule>)[]} */
const RULES = [
	(n) => rule(`block tool ${n}`, [`req.user_agent.contains('tool-${n}/')`], "deny"),
	(n) => rule("no deletes", [`req.method == 'DELETE'`, `req.url.path != '/free/${n}'`], "deny"),
	(n) =>
		rule(`tenant ${n}`, [`'blocked-${n}' in req.headers['x-tenant']`], "custom-response", {
			status_code: 403,
			content: `{"error":"tenant ${n} is blocked"}`,
			headers: { "content-type": "application/json" },
		}),
	(n) =>
		rule(
			`network ${n}`,
			[`inCidrRange(conn.client_ip, '10.${(n >> 8) & 255}.${n & 255}.0/24')`],
			"deny",
			{
				status_code: 451,
			},
		),
	(n) =>
		rule(`limit ${n}`, [`req.headers['x-plan'] == ['plan-${n}']`], "rate-limit", {
			capacity: 1000 + (n % 1000),
			rate: "60s",
			bucket_key: ["conn.client_ip"],
		}),
	(n) =>
		rule(`old path ${n}`, [`req.url.path.startsWith('/old/${n}/')`], "url-rewrite", {
			from: `/old/${n}/`,
			to: `/new/${n}/`,
		}),
];

/**
 * One or two rules that a plain request passes, and one that answers it: what a route costs is told apart best
 * where no upstream's cost is around it.
 * @param {number} n
 */
export const moduleOf = (n) => ({
	enabled: true,
	inbound: [
		...Array.from({ length: 1 + (n % 2) }, (_, at) => RULES[(n + at) % RULES.length]?.(n)),
		rule("answer", [`req.url.path.startsWith('/r/${n}')`], "deny", { status_code: ANSWER }),
	],
	outbound: [],
});

/** Where route `n` is: host and path of a request that meets it. @param {number} n @param {Spread} spread */
export const placeOf = (n, { routes, edges, first = 0 }) => {
	const perEdge = Math.ceil(routes / edges);
	const edge = Math.floor((n - first) / perEdge);
	return { edgeId: `edge-${edge}`, routeId: `route-${n}`, host: `e${edge}.test`, path: `/r/${n}` };
};

/**
 * @param {string} dist folder of the built project
 * @param {string} directory @param {Shape} shape
 */
export const fillStore = async (dist, directory, shape) => {
	const { openStore } = await import(join(dist, "store", "open.js"));
	const store = openStore(directory);
	/** @type {Promise<unknown>[]} */
	let waiting = [];
	const write = async (/** @type {Promise<unknown>} */ promise) => {
		waiting.push(promise);
		if (waiting.length < IN_FLIGHT) return;
		await Promise.all(waiting);
		waiting = [];
	};
	for (let edge = 0; edge < shape.edges; edge += 1) {
		const document = { hostports: [`e${edge}.test`], description: "", metadata: "" };
		await write(store.putEdge(`edge-${edge}`, document, {}));
	}
	const backend = { urls: [shape.backend] };
	const { first = 0 } = shape;
	for (let n = first; n < first + shape.routes; n += 1) {
		const { edgeId, routeId, path } = placeOf(n, shape);
		await write(
			store.putRoute(edgeId, routeId, { match_type: "exact_path", match: path, backend }, {}),
		);
		if (shape.withModules) await write(store.putPolicy(edgeId, routeId, moduleOf(n), {}));
	}
	await Promise.all(waiting);
	await store.close();
};
