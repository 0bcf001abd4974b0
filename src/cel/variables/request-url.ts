/**
 * Variables of the request's URL: the whole of it and its parts. A url-rewrite changes them for the rules behind
 * it. Joined by `table.ts`.
 */
import { queryParams } from "../values/derived.ts";
import {
	attribute,
	derived,
	integer,
	LISTS_BY_NAME,
	PORT_MAX,
	type VariableDefinition,
} from "./definition.ts";
import {
	hostText,
	nameText,
	normalUrlText,
	originText,
	queryLists,
	requestText,
	urlText,
} from "./sizes.ts";

export const REQUEST_URL = [
	{
		name: "req.url",
		type: "string",
		doc: "The whole URL in normal form: `scheme://host[:port]/path?query`.",
		example: "'https://shop.example.com/v1/orders/42?page=2&tag=new&tag=gift%20card'",
		read: attribute("url.full"),
		size: normalUrlText,
	},
	{
		name: "req.url.scheme",
		type: "string",
		doc: "`http` or `https`, as the listener speaks.",
		example: "'https'",
		read: attribute("url.scheme"),
		size: nameText,
	},
	{
		name: "req.url.host",
		type: "string",
		doc: "The host without its port, in lower case.",
		example: "'shop.example.com'",
		read: attribute("url.host"),
		size: hostText,
	},
	{
		name: "req.url.authority",
		type: "string",
		doc: "The host and its port, which is left out where it is the scheme's own.",
		example: "'shop.example.com'",
		read: attribute("url.authority"),
		size: originText,
	},
	{
		name: "req.url.port",
		type: "int",
		doc: "The port, also where the URL leaves it out.",
		example: "443",
		read: integer("url.port", 0, PORT_MAX),
	},
	{
		name: "req.url.path",
		type: "string",
		doc: "The path in normal form: without dot segments, and without encoding where none is needed. `%2F` stays as it is.",
		example: "'/v1/orders/42'",
		read: attribute("url.path"),
		size: normalUrlText,
		guard: "path",
	},
	{
		name: "req.url.raw_path",
		type: "string",
		doc: "The path as it came. Rules that protect something compare `req.url.path`.",
		example: "'/v1/./orders/42'",
		read: attribute("url.rawPath"),
		size: urlText,
	},
	{
		name: "req.url.query",
		type: "string",
		doc: "The query as it came, without the `?`.",
		example: "'page=2&tag=new&tag=gift%20card'",
		absent: "`''`",
		read: attribute("url.query"),
		size: requestText,
	},
	{
		name: "req.url.uri",
		type: "string",
		doc: "Path and query: `path?query`.",
		example: "'/v1/orders/42?page=2&tag=new&tag=gift%20card'",
		read: attribute("url.uri"),
		size: normalUrlText,
	},
	{
		name: "req.url.raw",
		type: "string",
		doc: "The whole URL with path and query as they came.",
		example: "'https://shop.example.com/v1/./orders/42?page=2&tag=new&tag=gift%20card'",
		read: attribute("url.raw"),
		size: urlText,
	},
	{
		name: "req.url.query_params",
		type: LISTS_BY_NAME,
		doc: "The parameters of the query by name, decoded (`%20` and `+` are spaces), each with all its values in order.",
		example: "{'page': ['2'], 'tag': ['new', 'gift card']}",
		use: ["req.url.query_params['tag']", "['new', 'gift card']"],
		absent: "`{}`; a name that is missing has `[]`",
		read: derived(queryParams, "url.query"),
		size: queryLists,
		parsingNanoseconds: 80,
	},
] as const satisfies readonly VariableDefinition[];
