/**
 * `getReqHeader` and its like (contract 4, "Functions"): short for look-ups in variables, which the checker puts in
 * their place (`check/replacements.ts`). Joined by `table.ts`.
 */
import { firstElement } from "../cost/estimates.ts";
import { type Example, type FunctionDefinition, type LookUp, REPLACED } from "./definition.ts";

const lookUp = (
	name: string,
	result: string,
	variable: string,
	yields: LookUp["yields"],
	doc: string,
	...examples: readonly Example[]
): FunctionDefinition => ({
	name,
	doc,
	examples,
	overloads: { [`${name}(string) -> ${result}`]: REPLACED },
	standsFor: { variable, yields },
});

export const LOOK_UPS: readonly FunctionDefinition[] = [
	lookUp(
		"getReqHeader",
		"list<string>",
		"req.headers",
		"list",
		"The values of a request header, one for each of its lines; `[]` if it is missing. Ignores the case of the name.",
		["getReqHeader('Accept')", "['text/html', 'application/json']"],
		["getReqHeader('x-none')", "[]"],
	),
	lookUp(
		"hasReqHeader",
		"bool",
		"req.headers",
		"presence",
		"Has the request a header of this name?",
		["hasReqHeader('x-api-key')", "false"],
	),
	lookUp(
		"getReqCookie",
		"cookie",
		"req.cookies",
		"@firstCookie",
		"The first cookie of this name in the request; one with empty name and value if it is missing.",
		["getReqCookie('theme').value", "'dark'"],
		["getReqCookie('none').value", "''"],
	),
	lookUp(
		"hasReqCookie",
		"bool",
		"req.cookies",
		"presence",
		"Has the request a cookie of this name?",
		["hasReqCookie('session')", "true"],
	),
	lookUp(
		"getQueryParam",
		"list<string>",
		"req.url.query_params",
		"list",
		"The values of a query parameter; `[]` if it is missing.",
		["getQueryParam('tag')", "['new', 'gift card']"],
		["getQueryParam('none')", "[]"],
	),
	lookUp(
		"hasQueryParam",
		"bool",
		"req.url.query_params",
		"presence",
		"Has the query a parameter of this name?",
		["hasQueryParam('page')", "true"],
	),
	lookUp(
		"getResHeader",
		"list<string>",
		"res.headers",
		"list",
		"The values of a response header; `[]` if it is missing. Outbound only.",
		["getResHeader('Location')", "['/v1/orders/42/receipt']"],
	),
	lookUp(
		"hasResHeader",
		"bool",
		"res.headers",
		"presence",
		"Has the response a header of this name? Outbound only.",
		["hasResHeader('etag')", "false"],
	),
	lookUp(
		"getResCookie",
		"set_cookie",
		"res.cookies",
		"@firstSetCookie",
		"The first cookie of this name that the response sets; one with empty name and value if there is none. Outbound only.",
		["getResCookie('receipt').max_age", "3600"],
	),
	lookUp(
		"hasResCookie",
		"bool",
		"res.cookies",
		"presence",
		"Does the response set a cookie of this name? Outbound only.",
		["hasResCookie('receipt')", "true"],
	),
	{
		name: "@firstCookie",
		doc: "What `getReqCookie` makes of the cookies of a name.",
		examples: [],
		overloads: { "@firstCookie(list<cookie>) -> cookie": REPLACED },
		estimate: firstElement,
		neverNull: true,
		prepared: "first_cookie",
	},
	{
		name: "@firstSetCookie",
		doc: "What `getResCookie` makes of the cookies of a name.",
		examples: [],
		overloads: { "@firstSetCookie(list<set_cookie>) -> set_cookie": REPLACED },
		estimate: firstElement,
		neverNull: true,
		prepared: "first_set_cookie",
	},
];
