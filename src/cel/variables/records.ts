/**
 * The records that expressions meet: the cookies of requests and of responses, with their fields. The checker makes
 * types of them (`check/variables.ts`); the values are made in `values/cookies.ts`.
 */

export interface RecordField {
	readonly name: string;
	/** as signatures write types */
	readonly type: string;
	readonly doc: string;
	/** its value in the first cookie of the exchange that docs/expressions.md shows, as an expression */
	readonly example: string;
}

export interface RecordDefinition {
	readonly name: string;
	readonly doc: string;
	/** the expression whose fields the examples are */
	readonly of: string;
	readonly fields: readonly RecordField[];
}

const NAME: RecordField = {
	name: "name",
	type: "string",
	doc: "The cookie's name.",
	example: "'session'",
};
const VALUE: RecordField = {
	name: "value",
	type: "string",
	doc: "Its value, without quotes around it.",
	example: "'abc'",
};

export const COOKIE: RecordDefinition = {
	name: "cookie",
	doc: "A cookie of the request.",
	of: "getReqCookie('session')",
	fields: [NAME, VALUE],
};

export const SET_COOKIE: RecordDefinition = {
	name: "set_cookie",
	doc: "A cookie that the response sets. Attributes that it does not set are `''`, `0` or `false`.",
	of: "getResCookie('receipt')",
	fields: [
		{ ...NAME, example: "'receipt'" },
		{ ...VALUE, example: "'r7'" },
		{ name: "path", type: "string", doc: "`Path` as sent.", example: "'/'" },
		{
			name: "domain",
			type: "string",
			doc: "`Domain` as sent.",
			example: "'shop.example.com'",
		},
		{ name: "expires", type: "string", doc: "`Expires` as sent, a text.", example: "''" },
		{
			name: "max_age",
			type: "int",
			doc: "`Max-Age` in seconds; 0 also if it is no whole number.",
			example: "3600",
		},
		{ name: "secure", type: "bool", doc: "Is there `Secure`?", example: "true" },
		{ name: "http_only", type: "bool", doc: "Is there `HttpOnly`?", example: "true" },
		{ name: "same_site", type: "string", doc: "`SameSite` as sent.", example: "'Lax'" },
	],
};

export const RECORD_TABLE: readonly RecordDefinition[] = [COOKIE, SET_COOKIE];
