/** Variables of the response, which exist in outbound rules only. Joined by `table.ts`. */
import { responseCookies, responseHeaderMap, responseMediaParameters } from "../values/derived.ts";
import { mediaType, rawLine } from "../values/media-type.ts";
import { listHeader, NO_HEADERS } from "../values/request-maps.ts";
import {
	BYTES_MAX,
	derived,
	integer,
	LISTS_BY_NAME,
	type VariableDefinition,
} from "./definition.ts";
import {
	noLists,
	responseCookieLists,
	responseHeaderLists,
	responseList,
	responseText,
	responseTextMap,
} from "./sizes.ts";

/** no status code has more than three digits */
const STATUS_MAX = 999;

const ROWS = [
	{
		name: "res.status_code",
		type: "int",
		doc: "The status code.",
		example: "201",
		read: integer("responseStatusCode", 0, STATUS_MAX),
	},
	{
		name: "res.content_length",
		type: "int",
		doc: "Bytes of the body as announced; -1 if it comes in chunks, or ends with the connection. Of an answer to HEAD, and of a 304, what the backend's `content-length` says that the body would have.",
		example: "1024",
		absent: "`0`",
		read: integer("responseContentLength", -1, BYTES_MAX),
	},
	{
		name: "res.content_type",
		type: "string",
		doc: "The media type of the body, in lower case and without parameters.",
		example: "'text/html'",
		absent: "`''`",
		read: derived((a) => mediaType(a.responseHeaders), "responseHeaders:content-type"),
		size: responseText,
		parsingNanoseconds: 21,
	},
	{
		name: "res.content_type.raw",
		type: "string",
		doc: "The `content-type` header as sent.",
		example: "'text/html; charset=utf-8'",
		absent: "`''`",
		read: derived(
			(a) => rawLine(a.responseHeaders, "content-type"),
			"responseHeaders:content-type",
		),
		size: responseText,
	},
	{
		name: "res.content_type.parameters",
		type: "map<string, string>",
		doc: "The parameters of `content-type`: names in lower case, values without quotes.",
		example: "{'charset': 'utf-8'}",
		absent: "`{}`; **a name that is missing fails**",
		read: derived(responseMediaParameters, "responseHeaders:content-type"),
		size: responseTextMap,
		parsingNanoseconds: 50,
	},
	{
		name: "res.location",
		type: "string",
		doc: "The `location` header: where a redirect leads.",
		example: "'/v1/orders/42/receipt'",
		absent: "`''`",
		read: derived((a) => rawLine(a.responseHeaders, "location"), "responseHeaders:location"),
		size: responseText,
	},
	{
		name: "res.content_encoding",
		type: "list<string>",
		doc: "The encodings of the body, in the order of `content-encoding` and in lower case.",
		example: "[]",
		absent: "`[]`",
		read: derived(
			(a) => listHeader(a.responseHeaders, "content-encoding"),
			"responseHeaders:content-encoding",
		),
		size: responseList,
		parsingNanoseconds: 140,
	},
	{
		name: "res.headers",
		type: LISTS_BY_NAME,
		doc: "All headers, as `req.headers`.",
		example:
			"{'content-type': ['text/html; charset=utf-8'], 'content-length': ['1024'], 'location': ['/v1/orders/42/receipt'], 'set-cookie': ['receipt=r7; Path=/; Domain=shop.example.com; Max-Age=3600; Secure; HttpOnly; SameSite=Lax']}",
		use: ["res.headers['Content-Length']", "['1024']"],
		absent: "a name that is missing has `[]`",
		read: { ...derived(responseHeaderMap, "responseHeaders"), lines: "responseHeaders" },
		size: responseHeaderLists,
	},
	{
		name: "res.trailers",
		type: LISTS_BY_NAME,
		doc: "Always empty: trailers are not read and not passed on.",
		example: "{}",
		absent: "`{}`; a name that is missing has `[]`",
		read: derived(() => NO_HEADERS),
		size: noLists,
	},
	{
		name: "res.cookies",
		type: "map<string, list<set_cookie>>",
		doc: "The cookies that the response sets, by name (case counts).",
		use: ["res.cookies['receipt'].all(c, c.secure)", "true"],
		example: "{'receipt': [getResCookie('receipt')]}",
		absent: "`{}`; a name that is missing has `[]`",
		read: derived(responseCookies, "responseHeaders:set-cookie"),
		size: responseCookieLists,
		parsingNanoseconds: 50,
	},
] as const satisfies readonly VariableDefinition[];

export const RESPONSE = ROWS.map((row) => ({ ...row, outboundOnly: true as const }));
