/**
 * Mistakes in policies: what is refused with a remedy, and what is valid and most likely not meant. A row is all there
 * is to a new one; played by `../first-hour.test.ts`, over the API and with `weir check`.
 */

export interface PolicyMistake {
	readonly mistake: string;
	readonly policy: object;
	/** else it is warned of */
	readonly refused: boolean;
	/** of the place that is meant */
	readonly pointer: string;
	readonly says: readonly (string | RegExp)[];
}

const deny = [{ type: "deny", config: {} }];
const when = (expression: string, phase: "inbound" | "outbound" = "inbound") => ({
	policy: {
		[phase]: [
			{
				expressions: [expression],
				actions:
					phase === "inbound" ? deny : [{ type: "log", config: { metadata: { message: "x" } } }],
			},
		],
	},
	pointer: `/${phase}/0/expressions/0`,
});
const doing = (...actions: readonly object[]) => ({ policy: { inbound: [{ actions }] } });

export const POLICY_MISTAKES: readonly PolicyMistake[] = [
	{
		mistake: "an action that is misspelt",
		...doing({ type: "denny" }),
		refused: true,
		pointer: "/inbound/0/actions/0/type",
		says: ['did you mean "deny"?'],
	},
	{
		mistake: "a rule without actions",
		policy: { inbound: [{ expressions: ["true"] }] },
		refused: true,
		pointer: "/inbound/0/actions",
		says: ["actions"],
	},
	{
		mistake: "a rate-limit for responses",
		policy: {
			outbound: [{ actions: [{ type: "rate-limit", config: { capacity: 1, rate: "1s" } }] }],
		},
		refused: true,
		pointer: "/outbound/0/actions/0/type",
		says: ["inbound"],
	},
	{
		mistake: "an action after the last one",
		...doing({ type: "deny" }, { type: "log", config: { metadata: { message: "x" } } }),
		refused: true,
		pointer: "/inbound/0/actions/1",
		says: ["before"],
	},
	{
		mistake: "a variable in its old spelling",
		...when("req.Method == 'GET'"),
		refused: true,
		says: ['today it is "req.method"'],
	},
	{
		mistake: "a number in quotes",
		...when("res.status_code >= '500'", "outbound"),
		refused: true,
		says: ["without quotes"],
	},
	{
		mistake: "a single =",
		...when("req.method = 'GET'"),
		refused: true,
		says: ["=="],
	},
	{
		mistake: "and, as in other languages",
		...when("req.method == 'GET' and true"),
		refused: true,
		says: ["&&"],
	},
	{
		mistake: "a header of the response in a rule for requests",
		...when("'x' in res.headers"),
		refused: true,
		says: ["outbound"],
	},
	{
		mistake: "a pattern that does not end",
		...when("req.url.path.matches('(a')"),
		refused: true,
		says: ["("],
	},
	{
		mistake: "a header that not every request has",
		...when("req.headers['x-api-key'][0] == 'a'"),
		refused: false,
		says: ["x-api-key"],
	},
	{
		mistake: "a method in lower case",
		...when("req.method == 'get'"),
		refused: false,
		says: ["GET"],
	},
	{
		mistake: "a network as an address",
		...when("conn.client_ip in ['10.0.0.0/8']"),
		refused: false,
		says: ["inCidrRange"],
	},
	{
		mistake: "a country that is no code",
		...when("conn.geo.country_code == 'UK'"),
		refused: false,
		says: ["GB"],
	},
	{
		mistake: "a list compared with a text",
		...when("req.headers['accept'] == 'text/html'"),
		refused: true,
		says: ["in req.headers"],
	},
	{
		mistake: "a rate without unit",
		...doing({ type: "rate-limit", config: { capacity: 1, rate: "60" } }),
		refused: true,
		pointer: "/inbound/0/actions/0/config/rate",
		says: ["60s"],
	},
];
