/**
 * What a flood meets: `npm run bench:refusals [-- --record] [-- --slices N]`. Processor time of a refused request of weir,
 * of weir without standing refusals and of nginx, in turns, on one core that they have for themselves; the client shares
 * the other: 403 for everybody, at one path and at 1,000 of as many policies, 403 by the client's address (`geo` beside a
 * stored list of 10,000 ranges) and by its user agent (`if` beside an expression), and 429 by `limit_req` and rate-limit,
 * of one key and of 100,000. Without wrk there is nothing to measure with.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNginx } from "./http/nginx.mjs";
import { launchWeir, succeed } from "./http/weir.mjs";
import {
	freePort,
	hasProgram,
	OTHER_CORE,
	PROXY_CORE,
	runPinned,
	stopAll,
	tidyWhenInterrupted,
} from "./processes.mjs";
import { recordResults, table } from "./results.mjs";
import { compare, HOW_MEASURED, inTurns, lowerQuartile, ratioText, SLICES } from "./slices.mjs";

const CONNECTIONS = 64;
const SLICE_SECONDS = 1;
const KEYS = 100_000;
const POLICIES = 1000;
const RANGES = 10_000;
const EDGE = "/edges/https/bench";
/** None holds the client, but the last. */
const LISTED = Array.from({ length: RANGES - 1 }, (_, n) => `10.${n >> 6}.${(n & 63) << 2}.0/23`);
LISTED.push("127.0.0.0/8");
const LIMIT = { capacity: 1, rate: "1h", bucket_key: ["req.headers['x-key']"] };
const IN = { actions: [{ type: "custom-response", config: { content: "in" } }] };

/** @type {Readonly<Record<string, { path: string, lua?: string }>>} what wrk sends: the same always, or by a script */
const SCENARIOS = {
	"403, one policy": { path: "/denied/1" },
	[`403, ${POLICIES} policies`]: {
		path: "/denied/1",
		lua: `request = function() return wrk.format("GET", "/denied/" .. math.random(1, ${POLICIES})) end`,
	},
	[`403, ${RANGES} ranges`]: { path: "/listed" },
	"403, user agent": { path: "/agents" },
	"429, one key": { path: "/limited" },
	[`429, ${KEYS} keys`]: {
		path: "/limited",
		lua: `request = function() wrk.headers["x-key"] = tostring(math.random(1, ${KEYS})); return wrk.format() end`,
	},
};
const AGENT = "user-agent: Mozilla/5.0 (X11; Linux x86_64) BadBot/2.1";
/** Each key once, so that all are over. */
const EXHAUSTING = `local n = 0
request = function() n = n + 1; wrk.headers["x-key"] = tostring(n % ${KEYS} + 1); return wrk.format() end`;

/** @param {string} name @returns {string | undefined} what stands behind the flag */
const option = (name) => {
	const at = process.argv.indexOf(`--${name}`);
	return at < 0 ? undefined : process.argv[at + 1];
};
const slices = Number(option("slices") ?? SLICES);

const folder = mkdtempSync(join(tmpdir(), "weir-refusals-"));
// nginx's workers may not be root.
chmodSync(folder, 0o755);
const tidy = () => rmSync(folder, { recursive: true, force: true });

/**
 * `admitted`: the largest share of a slice; `limit_req` admits a key once a minute.
 * @typedef {{ name: string, origin: string, pinned: import("./processes.mjs").Pinned, admitted: number }} Contender
 */

/** @returns {Promise<Contender>} */
const nginx = async () => {
	const port = await freePort();
	const directory = join(folder, "nginx");
	const paths = Array.from(
		{ length: POLICIES },
		(_, n) => `location = /denied/${n + 1} { return 403; }`,
	);
	// Not answered by `return`, which comes before limits are asked.
	const listed = LISTED.map((range) => `${range} 1;`).join("\n");
	const http = `limit_req_zone $http_x_key zone=keys:64m rate=1r/m;
	geo $listed { default 0;
	${listed}
	}
	limit_req_status 429;
	limit_req_log_level info;
	server {
		listen 127.0.0.1:${port} backlog=4096;
		root ${folder};
		location = /ready { return 200; }
		location = /limited { limit_req zone=keys; }
		location = /listed { if ($listed) { return 403; } }
		location = /agents { if ($http_user_agent ~* "crawler|badbot") { return 403; } }
		${paths.join("\n")}
	}`;
	writeFileSync(join(folder, "limited"), "in");
	const ready = `http://127.0.0.1:${port}/ready`;
	const pinned = await startNginx(PROXY_CORE, directory, 1, http, ready);
	return { name: "nginx", origin: `http://127.0.0.1:${port}`, pinned, admitted: 0 };
};

/** @param {string} name @param {boolean} standing @returns {Promise<Contender>} */
const weir = async (name, standing) => {
	const port = await freePort();
	const listen = [{ address: `127.0.0.1:${port}` }];
	const settings = { listen, workers: 1, standing_refusals: standing };
	const directory = join(folder, name.replaceAll(" ", "-"));
	const { pinned, put } = await launchWeir({ core: PROXY_CORE, directory, settings });
	await succeed(put(EDGE, { hostports: ["*"] }));
	/** @param {string} id @param {string} match @param {object} policy */
	const route = async (id, match, policy) => {
		const backend = { urls: ["http://127.0.0.1:9"] };
		await succeed(put(`${EDGE}/routes/${id}`, { match_type: "exact_path", match, backend }));
		await succeed(put(`${EDGE}/routes/${id}/policy`, policy));
	};
	await route("limited", "/limited", {
		inbound: [{ actions: [{ type: "rate-limit", config: LIMIT }] }, IN],
	});
	await succeed(put("/ip-lists/listed", { entries: LISTED }));
	await route("listed", "/listed", {
		inbound: [{ actions: [{ type: "restrict-ips", config: { lists: ["!listed"] } }] }, IN],
	});
	const expressions = ["req.user_agent.matches('(?i)crawler|badbot')"];
	await route("agents", "/agents", { inbound: [{ expressions, actions: [{ type: "deny" }] }, IN] });
	for (let n = 1; n <= POLICIES; n += 1) {
		const name = `policy ${n}`;
		await route(`denied-${n}`, `/denied/${n}`, {
			inbound: [{ name, actions: [{ type: "deny" }] }],
		});
	}
	return { name, origin: `http://127.0.0.1:${port}`, pinned, admitted: 0 };
};

/** @param {Contender} contender @param {string} path @param {number} seconds @param {string} [lua] */
const flood = async ({ origin, pinned }, path, seconds, lua) => {
	const script = join(folder, "requests.lua");
	writeFileSync(script, lua ?? "");
	// Of requests without a key `limit_req` counts none.
	const options = [
		"-t1",
		`-c${CONNECTIONS}`,
		`-d${seconds}s`,
		"-s",
		script,
		"-H",
		"x-key: 1",
		"-H",
		AGENT,
	];
	const command = ["wrk", ...options, origin + path];
	const before = pinned.cpuMicroseconds();
	const output = await runPinned(OTHER_CORE, command);
	const used = pinned.cpuMicroseconds() - before;
	const requests = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0);
	const refused = Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
	return { microseconds: used / requests, requests, refused };
};

/** @param {Contender} contender @param {{ path: string, lua?: string }} scenario */
const slice = async (contender, { path, lua }) => {
	const { microseconds, requests, refused } = await flood(contender, path, SLICE_SECONDS, lua);
	if (requests === 0) throw new Error(`${contender.name} answered nothing`);
	const admitted = (requests - refused) / requests;
	contender.admitted = Math.max(contender.admitted, admitted);
	return microseconds;
};

const bench = async () => {
	const contenders = [
		await nginx(),
		await weir("weir", true),
		await weir("without standing", false),
	];
	/** @type {string[][]} */
	const rows = [];
	for (const [name, scenario] of Object.entries(SCENARIOS)) {
		for (const contender of contenders) {
			// All keys are over then, and what is compiled late is compiled.
			for (let sent = 0; name.includes("keys") && sent < 2 * KEYS; ) {
				sent += (await flood(contender, scenario.path, SLICE_SECONDS, EXHAUSTING)).requests;
			}
			await flood(contender, scenario.path, SLICE_SECONDS, scenario.lua);
			contender.admitted = 0;
		}
		const measured = await inTurns(contenders, slices, (each) => slice(each, scenario));
		const [peer = [], ours = [], without = []] = measured;
		rows.push([
			name,
			...[peer, ours, without].map((each) => lowerQuartile(each).toFixed(2)),
			ratioText(compare(ours, peer)),
			ratioText(compare(without, peer)),
			contenders.map(({ admitted }) => (admitted * 100).toFixed(1)).join(" / "),
		]);
		console.log(rows.at(-1)?.join("  "));
	}
	return rows;
};

if (!["wrk", "nginx", "taskset"].every(hasProgram)) {
	console.error("wrk, nginx or taskset is missing (Debian: apt-get install wrk nginx util-linux)");
	process.exit(2);
}
tidyWhenInterrupted(tidy);
try {
	const rows = await bench();
	const header = [
		"refused",
		"nginx, µs",
		"weir, µs",
		"without, µs",
		"weir (paired)",
		"without (paired)",
		"admitted at most, % (nginx / weir / without)",
	];
	const text = table(header, rows);
	console.log(text);
	const conditions = [
		`${slices} slices of ${SLICE_SECONDS} s in turns, ${CONNECTIONS} connections, wrk; processor time of all processes of a contender for a request; "without": standing_refusals: false`,
		HOW_MEASURED,
	];
	if (process.argv.includes("--record")) {
		recordResults("Refusals", "npm run bench:refusals", conditions, text);
	}
} finally {
	await stopAll();
	tidy();
}
