/** Variables of the request's headers and cookies. Joined by `table.ts`. */
import { requestCookies, requestHeaderMap, requestMediaParameters } from "../values/derived.ts";
import { mediaType, rawLine } from "../values/media-type.ts";
import { NO_HEADERS } from "../values/request-maps.ts";
import { derived, LISTS_BY_NAME, type VariableDefinition } from "./definition.ts";
import {
	noLists,
	requestCookieLists,
	requestHeaderLists,
	requestText,
	requestTextMap,
} from "./sizes.ts";

const USER_AGENT = derived(
	(a) => rawLine(a.requestHeaders, "user-agent"),
	"requestHeaders:user-agent",
);

export const REQUEST_HEADERS = [
	{
		name: "req.content_type",
		type: "string",
		doc: "The media type of the body, in lower case and without parameters.",
		example: "'application/json'",
		absent: "`''`",
		read: derived((a) => mediaType(a.requestHeaders), "requestHeaders:content-type"),
		size: requestText,
		parsingNanoseconds: 21,
	},
	{
		name: "req.content_type.raw",
		type: "string",
		doc: "The `content-type` header as sent.",
		example: "'Application/JSON; charset=utf-8'",
		absent: "`''`",
		read: derived((a) => rawLine(a.requestHeaders, "content-type"), "requestHeaders:content-type"),
		size: requestText,
	},
	{
		name: "req.content_type.parameters",
		type: "map<string, string>",
		doc: "The parameters of `content-type`: names in lower case, values without quotes.",
		example: "{'charset': 'utf-8'}",
		absent:
			"`{}`; **a name that is missing fails**, so ask `has(req.content_type.parameters.charset)` first",
		read: derived(requestMediaParameters, "requestHeaders:content-type"),
		size: requestTextMap,
		parsingNanoseconds: 50,
	},
	{
		name: "req.user_agent",
		type: "string",
		doc: "The `user-agent` header.",
		example: "'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0'",
		absent: "`''`",
		read: USER_AGENT,
		size: requestText,
	},
	{
		name: "req.user_agent.raw",
		type: "string",
		doc: "The same.",
		example: "'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0'",
		absent: "`''`",
		read: USER_AGENT,
		size: requestText,
	},
	{
		name: "req.headers",
		type: LISTS_BY_NAME,
		doc: "All headers, each with one value for each of its lines. Look-ups, `in` and `has()` ignore the case of names; loops see names in lower case.",
		example:
			"{'host': ['shop.example.com'], 'user-agent': ['Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0'], 'accept': ['text/html', 'application/json'], 'content-type': ['Application/JSON; charset=utf-8'], 'content-encoding': ['gzip'], 'content-length': ['512'], 'cookie': ['session=abc; theme=dark']}",
		use: ["req.headers['Accept'].exists(v, v.contains('json'))", "true"],
		absent: "a name that is missing has `[]`",
		read: { ...derived(requestHeaderMap, "requestHeaders"), lines: "requestHeaders" },
		size: requestHeaderLists,
	},
	{
		name: "req.trailers",
		type: LISTS_BY_NAME,
		doc: "Always empty: trailers are not read and not passed on.",
		example: "{}",
		absent: "`{}`; a name that is missing has `[]`",
		read: derived(() => NO_HEADERS),
		size: noLists,
	},
	{
		name: "req.cookies",
		type: "map<string, list<cookie>>",
		doc: "The cookies by name (case counts), each name with all of its cookies in order.",
		use: ["req.cookies['theme'].map(c, c.value)", "['dark']"],
		example: "{'session': [getReqCookie('session')], 'theme': [getReqCookie('theme')]}",
		absent: "`{}`; a name that is missing has `[]`",
		read: derived(requestCookies, "requestHeaders:cookie"),
		size: requestCookieLists,
		parsingNanoseconds: 50,
	},
] as const satisfies readonly VariableDefinition[];
