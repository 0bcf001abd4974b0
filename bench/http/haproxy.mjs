/** HAProxy as a contender: a stick table counts, a map chooses by path, one thread a worker. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, Pinned, ready } from "../processes.mjs";
import { ECHO_PATH, LIMITED_BODY } from "./scenarios.mjs";

const MAP = [
	["/limited", "limited"],
	["/denied", "denied"],
	["/rules", "rules"],
	...["/plain", "/large", "/post", ECHO_PATH].map((path) => [path, "plain"]),
];

/** @param {{ directory: string, backend: string, workers: number, port: number, tls: string }} settings */
const config = ({ directory, backend, workers, port, tls }) => {
	const forward = `
	http-request set-header X-Forwarded-For %[src]
	http-request set-header X-Forwarded-Proto %[ssl_fc,iif(https,http)]
	http-request set-header X-Forwarded-Host %[req.hdr(host)]
	http-request set-header Via "1.1 haproxy"
	http-reuse always
	server backend ${new URL(backend).host}`;
	return `
global
	nbthread ${workers}
	maxconn 4096
defaults
	mode http
	timeout connect 5s
	timeout client 3600s
	timeout server 3600s
	timeout http-keep-alive 3600s
	# Costs nothing for small answers and a quarter less for 64 KiB; larger buffers cost more.
	option splice-response
frontend edge
	bind 127.0.0.1:${port}
	${tls}
	use_backend %[path,map(${directory}/paths.map,plain)]
backend limited
	stick-table type ip size 100k expire 60s store http_req_rate(60s)
	http-request track-sc0 src
	http-request deny deny_status 429 content-type application/json string '${LIMITED_BODY}' hdr retry-after 60 if { sc_http_req_rate(0) gt 1 }
	${forward}
backend denied
	# Like deny, without its page.
	http-request return status 403
backend plain
	${forward}
backend rules
	http-request deny if { method DELETE }
	http-request deny if { req.hdr(user-agent) -m sub badbot }
	http-request deny if { req.hdr(x-block) -m str 1 }
	${forward}
`;
};

/**
 * @param {import("./contenders.mjs").Site} site
 * @returns {Promise<import("./contenders.mjs").Instance>}
 */
export const startHaproxy = async ({ core, directory: parent, backend, workers, certificate }) => {
	const directory = join(parent, "haproxy");
	mkdirSync(directory, { recursive: true });
	const [port, tlsPort] = [await freePort(), await freePort()];
	let tls = "";
	if (certificate !== undefined) {
		const pair = join(directory, "pair.pem");
		writeFileSync(
			pair,
			[certificate.cert, certificate.key].map((name) => readFileSync(name, "utf8")).join(""),
		);
		tls = `bind 127.0.0.1:${tlsPort} ssl crt ${pair}`;
	}
	writeFileSync(join(directory, "paths.map"), `${MAP.map((row) => row.join(" ")).join("\n")}\n`);
	const file = join(directory, "haproxy.cfg");
	writeFileSync(file, config({ directory, backend, workers, port, tls }));
	const pinned = new Pinned(core, ["haproxy", "-db", "-f", file]);
	const origin = `http://127.0.0.1:${port}`;
	await ready(pinned, async () => (await fetch(`${origin}/plain`)).ok);
	return { pinned, http: origin, https: `https://127.0.0.1:${tlsPort}` };
};
