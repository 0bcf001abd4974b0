/**
 * Mistakes that show in the traffic: a host or path without a route, backends that are dead, speak another protocol,
 * have a certificate that nobody vouches for, or are weir itself; policies that fail on real requests. Each has the
 * answer, and the log line that names what to mend, and always edge and route. A row is all there is to a new one; played
 * by `../first-hour.test.ts`, which makes a route of the edge `site` for each.
 */

export interface TrafficMistake {
	readonly mistake: string;
	/** `DEAD`, `PLAIN`, `SELFSIGNED` and `WEIR` stand for authorities of servers that run, or don't */
	readonly url: string;
	/** more of the route's backend */
	readonly backend?: object;
	readonly policy?: object;
	readonly host?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly status: number;
	readonly code: string;
	/** a part of the log line's fields; undefined: what is wrong is told by the answer alone */
	readonly logged?: Readonly<Record<string, unknown>> & { readonly msg: string };
}

export const TRAFFIC_MISTAKES: readonly TrafficMistake[] = [
	{
		mistake: "a host that no edge has",
		url: "http://PLAIN",
		host: "localhost",
		status: 404,
		code: "ERR_NO_ROUTE",
	},
	{
		mistake: "a backend that is not started",
		url: "http://DEAD",
		status: 502,
		code: "ERR_UPSTREAM_FAILED",
		logged: { msg: "request failed upstream", failure: "connect", backend: ["http://DEAD"] },
	},
	{
		mistake: "a self-signed certificate",
		url: "https://SELFSIGNED",
		status: 502,
		code: "ERR_UPSTREAM_FAILED",
		logged: { msg: "request failed upstream", reason: /self-signed certificate/ },
	},
	{
		mistake: "https to a backend of plain HTTP",
		url: "https://PLAIN",
		status: 502,
		code: "ERR_UPSTREAM_FAILED",
		logged: { msg: "request failed upstream", reason: /SSL|TLS/i },
	},
	{
		mistake: "http to a backend of TLS",
		url: "http://SELFSIGNED",
		status: 502,
		code: "ERR_UPSTREAM_FAILED",
		logged: { msg: "request failed upstream", failure: "broken" },
	},
	{
		mistake: "weir as its own backend",
		url: "http://WEIR",
		backend: { host_header: "site.example" },
		status: 508,
		code: "ERR_LOOP_DETECTED",
		logged: { msg: "a backend leads back to weir" },
	},
	{
		mistake: "a WebSocket without its version",
		url: "http://PLAIN",
		headers: { connection: "upgrade", upgrade: "websocket" },
		status: 426,
		code: "ERR_WEBSOCKET_VERSION",
	},
	{
		mistake: "a WebSocket behind a proxy that takes off connection: upgrade",
		url: "http://PLAIN",
		headers: {
			upgrade: "websocket",
			"sec-websocket-version": "13",
			"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
		},
		status: 400,
		code: "ERR_BAD_REQUEST",
	},
	{
		mistake: "an index that the request does not have",
		url: "http://PLAIN",
		policy: {
			inbound: [
				{ name: "first", expressions: ["false"], actions: [{ type: "deny" }] },
				{
					name: "only a",
					expressions: ["req.headers['x-api-key'][0] == 'a'"],
					actions: [{ type: "deny" }],
				},
			],
		},
		status: 500,
		code: "ERR_POLICY_FAILED",
		logged: {
			msg: "policy expression failed",
			phase: "inbound",
			rule: 1,
			rule_name: "only a",
			expression: 0,
		},
	},
];
