/** The Node gateway as a contender: starts node-gateway-server.mjs and waits for it. */
import { join } from "node:path";
import { freePort, Pinned, ready } from "../processes.mjs";

const SERVER = join(import.meta.dirname, "node-gateway-server.mjs");

/**
 * @param {import("./contenders.mjs").Site} site
 * @returns {Promise<import("./contenders.mjs").Instance>}
 */
export const startNodeGateway = async ({ core, backend, workers, certificate }) => {
	const [port, tlsPort] = [await freePort(), await freePort()];
	const settings = JSON.stringify({ port, tlsPort, backend, workers, certificate });
	const pinned = new Pinned(core, [process.execPath, SERVER, settings], { NODE_ENV: "production" });
	const origin = `http://127.0.0.1:${port}`;
	await ready(pinned, async () => (await fetch(`${origin}/plain`)).ok);
	return { pinned, http: origin, https: `https://127.0.0.1:${tlsPort}` };
};
