/**
 * What changing policies costs: a PUT of a policy of two or three rules of a known shape, one after the other and many
 * at once, and policies in transactions of 100; processor time of supervisor and workers together, and changes a second.
 * `npm run bench:puts [-- --workers 1] [-- --no-record]`
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { recordResults, table } from "./results.mjs";
import { moduleOf } from "./routes-store.mjs";
import { lowerQuartile, SLICES } from "./slices.mjs";

const { values } = parseArgs({
	options: {
		workers: { type: "string", default: "1" },
		"no-record": { type: "boolean", default: false },
	},
});
const ROUTES = 400;
const PER_SLICE = 400;
const GROUP = 100;
const AT_ONCE = 32;
const KEY = "bench-key-of-puts";
const TICKS_PER_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), "weir-puts-"));
const child = spawn(
	process.execPath,
	[
		join(import.meta.dirname, "../dist/main.js"),
		...["serve", "--data-dir", folder, "--workers", values.workers],
		...["--listen", "127.0.0.1:0", "--management", "127.0.0.1:0"],
	],
	{ env: { ...process.env, WEIR_API_KEY: KEY }, stdio: ["ignore", "pipe", "inherit"] },
);
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
try {
	const management = await ready();
	const api = apiOf(management);
	await api("PUT", "/edges/https/e", { hostports: ["e.test"] });
	for (let n = 0; n < ROUTES; n++) {
		const backend = { urls: ["http://127.0.0.1:9"] };
		await api("PUT", pathOf(n), { match_type: "exact_path", match: `/r/${n}`, backend });
		await api("PUT", `${pathOf(n)}/policy`, moduleOf(n));
	}
	let turn = ROUTES;
	const put = async () => {
		const n = turn++;
		await api("PUT", `${pathOf(n % ROUTES)}/policy`, moduleOf(n));
	};
	/** @type {Record<string, () => Promise<number>>} of each way, what makes some changes and tells how many */
	const ways = {
		"one after the other": async () => {
			for (let n = 0; n < PER_SLICE; n++) await put();
			return PER_SLICE;
		},
		[`${AT_ONCE} at a time`]: async () => {
			const lane = async () => {
				for (let n = 0; n < PER_SLICE / AT_ONCE; n++) await put();
			};
			await Promise.all(Array.from({ length: AT_ONCE }, lane));
			return Math.ceil(PER_SLICE / AT_ONCE) * AT_ONCE;
		},
		[`transactions of ${GROUP}`]: async () => {
			for (let group = 0; group < PER_SLICE / GROUP; group++) {
				const operations = Array.from({ length: GROUP }, () => {
					const n = turn++;
					return { method: "PUT", path: `${pathOf(n % ROUTES)}/policy`, document: moduleOf(n) };
				});
				await api("POST", "/transactions", { operations });
			}
			return PER_SLICE;
		},
	};
	const rows = [];
	for (const [name, way] of Object.entries(ways)) {
		await way();
		const cpu = [];
		const rate = [];
		for (let slice = 0; slice < SLICES; slice++) {
			const [before, began] = [processorMs(), performance.now()];
			const changes = await way();
			cpu.push(((processorMs() - before) * 1000) / changes);
			rate.push((performance.now() - began) / changes);
		}
		const perSecond = 1000 / lowerQuartile(rate);
		rows.push([name, lowerQuartile(cpu).toFixed(0), perSecond.toFixed(0)]);
	}
	const text = table(["policies put", "CPU µs each", "each second"], rows);
	console.log(text);
	if (!values["no-record"]) {
		const how = `${values.workers} worker, ${ROUTES} routes, two or three rules a policy; lower quartile of ${SLICES} slices of ${PER_SLICE} changes`;
		recordResults("Policies put", "npm run bench:puts", [how], text);
	}
} finally {
	child.kill();
	agent.destroy();
	await new Promise((resolve) => child.once("exit", resolve));
	rmSync(folder, { recursive: true, force: true });
}

/** @param {number} n */
function pathOf(n) {
	return `/edges/https/e/routes/r${n}`;
}

/** @returns {Promise<string>} the address of the management API */
function ready() {
	return new Promise((resolve, reject) => {
		let text = "";
		child.stdout?.on("data", (data) => {
			text += data;
			const line = text.split("\n").find((each) => each.includes('"weir is ready"'));
			if (line !== undefined) resolve(JSON.parse(line).management);
		});
		child.once("exit", (code) => reject(new Error(`weir ended with ${code}`)));
	});
}

/** @param {string} address */
function apiOf(address) {
	const [host, port] = address.split(":");
	/** @param {string} method @param {string} path @param {object} body @returns {Promise<void>} */
	return (method, path, body) =>
		new Promise((resolve, reject) => {
			const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
			const sent = request({ host, port, method, path, headers, agent }, (response) => {
				let text = "";
				response.on("data", (data) => {
					text += data;
				});
				response.on("end", () => {
					if ((response.statusCode ?? 500) < 300) resolve();
					else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`));
				});
			});
			sent.once("error", reject);
			sent.end(JSON.stringify(body));
		});
}

/** Of supervisor and workers so far. */
function processorMs() {
	const pids = [child.pid, ...childrenOf(child.pid ?? 0)];
	let ticks = 0;
	for (const pid of pids) {
		const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
		ticks += Number(fields[11]) + Number(fields[12]);
	}
	return (ticks * 1000) / TICKS_PER_SECOND;
}

/** @param {number} parent */
function childrenOf(parent) {
	const found = [];
	for (const task of readdirSync(`/proc/${parent}/task`)) {
		const text = readFileSync(`/proc/${parent}/task/${task}/children`, "latin1").trim();
		if (text !== "") found.push(...text.split(" ").map(Number));
	}
	return found;
}
