/** weir as a contender: run from dist/, its routes and policies written over its own management API. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, Pinned, ready } from "../processes.mjs";
import { ECHO_PATH, SCENARIOS } from "./scenarios.mjs";

export const MAIN = join(import.meta.dirname, "..", "..", "dist", "main.js");
const KEY = "weir-bench-key";
const EDGE = "/edges/https/bench";
export const PIPELINING = 8;
/** Behind a path: the same route, with pipelining towards the backend. */
export const PIPELINED = "-pipelined";

/** @param {string[]} expressions @param {string} type @param {object} config */
const rule = (expressions, type, config = {}) => ({ expressions, actions: [{ type, config }] });

/** Three rules of which none applies; another `blocked` makes another policy. @param {string} blocked */
export const threeRules = (blocked) => ({
	inbound: [
		rule(["req.method == 'DELETE'"], "deny"),
		rule(["req.user_agent.contains('badbot')"], "deny"),
		rule([`'${blocked}' in req.headers['x-block']`], "deny"),
	],
});
const LIMIT = { capacity: 1, rate: "60s", bucket_key: ["conn.client_ip"] };
/** @type {Readonly<Record<string, object>>} */
const POLICIES = {
	"/limited": { inbound: [rule([], "rate-limit", LIMIT)] },
	"/denied": { inbound: [rule([], "deny")] },
	"/rules": threeRules("1"),
};

/**
 * One PUT of the management API; `status` and text of the answer.
 * @typedef {(path: string, document: object) => Promise<{ status: number, text: string }>} Put
 * @param {string} origin @returns {Put}
 */
const putter = (origin) => async (path, document) => {
	const response = await fetch(origin + path, {
		method: "PUT",
		headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
		body: JSON.stringify(document),
	});
	return { status: response.status, text: await response.text() };
};

/** @param {ReturnType<Put> | Awaited<ReturnType<Put>>} answer */
export const succeed = async (answer) => {
	const { status, text } = await answer;
	if (status >= 300) throw new Error(`weir's management API: ${status} ${text}`);
};

/**
 * A route for this path alone, its policy first, of the edge for all hosts.
 * @param {Put} put @param {string} path @param {string} backend @param {object} [policy]
 * @returns {Promise<string>} its URI
 */
export const putRoute = async (put, path, backend, policy) => {
	const uri = `${EDGE}/routes/${path.slice(1)}`;
	await succeed(put(EDGE, { hostports: ["*"] }));
	if (policy !== undefined) await succeed(put(`${uri}/policy`, policy));
	await succeed(put(uri, { match_type: "exact_path", match: path, backend: { urls: [backend] } }));
	return uri;
};

/** Routes with their policies; those with pipelining only if this weir knows it. @param {Put} put @param {string} backend @returns {Promise<boolean>} */
const configure = async (put, backend) => {
	const urls = [backend];
	/** @param {string} path @param {string} suffix @param {object} options */
	const write = async (path, suffix, options) => {
		const uri = `${EDGE}/routes/${path.slice(1)}${suffix}`;
		const policy = POLICIES[path];
		if (policy !== undefined) await succeed(put(`${uri}/policy`, policy));
		return put(uri, {
			match_type: "exact_path",
			match: path + suffix,
			backend: { urls, ...options },
		});
	};
	await succeed(put(EDGE, { hostports: ["*"] }));
	for (const path of new Set([...SCENARIOS.map((each) => each.path), ECHO_PATH])) {
		await succeed(write(path, "", {}));
	}
	for (const path of new Set(
		SCENARIOS.filter((each) => each.pipelining).map((each) => each.path),
	)) {
		const answer = await write(path, PIPELINED, { pipelining: PIPELINING });
		if (answer.status === 400) return false;
		await succeed(answer);
	}
	return true;
};

/**
 * weir with nothing in it yet.
 * @param {{core: string, directory: string, settings: object, wrap?: string[], flags?: string[], main?: string}} wanted
 *   `settings` of the config file; `wrap` goes before the command; `flags` of Node, also of workers; `main` of another build
 * @returns {Promise<{pinned: Pinned, management: number, put: Put}>}
 */
export const launchWeir = async ({
	core,
	directory,
	settings,
	wrap = [],
	flags = [],
	main = MAIN,
}) => {
	mkdirSync(directory, { recursive: true });
	const management = await freePort();
	const file = join(directory, "weir.json");
	writeFileSync(
		file,
		JSON.stringify({
			management: { address: `127.0.0.1:${management}` },
			data_dir: join(directory, "data"),
			...settings,
		}),
	);
	const command = [...wrap, process.execPath, ...flags, main, "serve", "--config", file];
	const pinned = new Pinned(core, command, { WEIR_API_KEY: KEY });
	const api = `http://127.0.0.1:${management}`;
	const headers = { authorization: `Bearer ${KEY}` };
	await ready(pinned, async () => (await fetch(`${api}/readyz`, { headers })).ok);
	return { pinned, management, put: putter(api) };
};

/**
 * @param {import("./contenders.mjs").Site} site
 * @returns {Promise<import("./contenders.mjs").Instance>}
 */
export const startWeir = async ({ core, directory: parent, backend, workers, certificate }) => {
	const directory = join(parent, "weir");
	const [port, tlsPort] = [await freePort(), await freePort()];
	const plain = { address: `127.0.0.1:${port}` };
	const secure = { address: `127.0.0.1:${tlsPort}`, tls: certificate };
	const listen = certificate === undefined ? [plain] : [plain, secure];
	const { pinned, put } = await launchWeir({ core, directory, settings: { listen, workers } });
	return {
		pinned,
		http: `http://127.0.0.1:${port}`,
		https: `https://127.0.0.1:${tlsPort}`,
		pipelining: await configure(put, backend),
		putPolicy: (path, policy) => put(`${EDGE}/routes/${path.slice(1)}/policy`, policy),
	};
};
