// Starts an installed weir and takes it through edge, route and policy to requests. Called by
// scripts/package-test.mjs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";

const START_MS_MAX = 60_000;
const KEY = "package-test";

// What npm tells its scripts would change what the installations below do.
export const environment = Object.fromEntries(
	Object.entries(process.env).filter(([name]) => !/^(npm_|WEIR_|INIT_CWD$)/i.test(name)),
);

/** @param {import("node:net").Server} server @returns {Promise<number>} its port */
async function listening(server) {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	assert.ok(address !== null && typeof address === "object");
	return address.port;
}

/** A port that was free a moment ago. */
async function freePort() {
	const server = createServer();
	const port = await listening(server);
	server.close();
	await once(server, "close");
	return port;
}

/** @param {number} port @param {string} path @param {object} document */
async function put(port, path, document) {
	const response = await fetch(`http://127.0.0.1:${port}${path}`, {
		method: "PUT",
		headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
		body: JSON.stringify(document),
	});
	assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
}

/**
 * Starts `weir serve`, takes it through edge, route and policy to two requests and to the live page, and stops it.
 * @param {string} command
 * @param {string[]} parameters
 * @param {string} cwd
 */
export async function serves(command, parameters, cwd) {
	const backend = createServer((_request, response) => response.end("from the backend"));
	const upstream = `http://127.0.0.1:${await listening(backend)}`;
	const [port, management] = [await freePort(), await freePort()];
	const flags = ["--workers", "1", "--data-dir", join(cwd, "data")];
	flags.push("--listen", `127.0.0.1:${port}`, "--management", `127.0.0.1:${management}`);
	const child = spawn(command, [...parameters, "serve", ...flags], {
		cwd,
		env: { ...environment, WEIR_API_KEY: KEY },
		stdio: ["ignore", "pipe", "pipe"],
	});
	let printed = "";
	/** @type {Promise<void>} */
	const ready = new Promise((resolve, reject) => {
		for (const stream of [child.stdout, child.stderr]) {
			createInterface(stream).on("line", (line) => {
				printed += `${line}\n`;
				if (line.includes("weir is ready")) resolve();
			});
		}
		child.once("error", reject);
		child.once("exit", (code) => reject(new Error(`ended with ${code}\n${printed}`)));
		setTimeout(() => reject(new Error(`not ready\n${printed}`)), START_MS_MAX).unref();
	});
	try {
		await ready;
		await put(management, "/edges/https/e", { hostports: ["*"] });
		await put(management, "/edges/https/e/routes/r", {
			match_type: "path_prefix",
			match: "/",
			backend: { urls: [upstream] },
		});
		const limit = { type: "rate-limit", config: { capacity: 1, rate: "1h" } };
		await put(management, "/edges/https/e/routes/r/policy", {
			inbound: [{ expressions: ["conn.client_ip.size() > 0"], actions: [limit] }],
		});
		const get = () => fetch(`http://127.0.0.1:${port}/`);
		const answer = await get();
		assert.deepEqual([answer.status, await answer.text()], [200, "from the backend"]);
		assert.equal((await get()).status, 429);
		const page = await fetch(`http://127.0.0.1:${management}/ui/`);
		const script = /src="(assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
		const loaded = await fetch(`http://127.0.0.1:${management}/ui/${script}`);
		assert.deepEqual([page.status, loaded.status], [200, 200]);
	} finally {
		const ended = child.exitCode === null ? once(child, "exit") : undefined;
		child.kill("SIGTERM");
		await ended;
		backend.close();
		backend.closeAllConnections();
	}
	assert.equal(child.exitCode, 0, printed);
}
