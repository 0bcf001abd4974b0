/** Variables of the request line and of what it announces. Joined by `table.ts`. */
import { rawLine } from "../values/media-type.ts";
import { listHeader } from "../values/request-maps.ts";
import { timestampFromMs } from "../values/timestamp.ts";
import { attribute, BYTES_MAX, derived, integer, type VariableDefinition } from "./definition.ts";
import { hostText, nameText, requestList, requestText } from "./sizes.ts";

export const REQUEST = [
	{
		name: "req.method",
		type: "string",
		doc: "The method as sent.",
		example: "'POST'",
		read: attribute("method"),
		size: requestText,
		guard: "method",
	},
	{
		name: "req.host",
		type: "string",
		doc: "The `host` header without its port, in lower case and without a dot at its end. A url-rewrite does not change it.",
		example: "'shop.example.com'",
		read: attribute("host"),
		size: hostText,
		guard: "host",
	},
	{
		name: "req.version",
		type: "string",
		doc: "The version of HTTP.",
		example: "'HTTP/1.1'",
		read: attribute("httpVersion"),
		size: nameText,
	},
	{
		name: "req.location",
		type: "string",
		doc: "The `location` header of the request.",
		example: "''",
		absent: "`''`",
		read: derived((a) => rawLine(a.requestHeaders, "location"), "requestHeaders:location"),
		size: requestText,
	},
	{
		name: "req.content_length",
		type: "int",
		doc: "Bytes of the body as announced; -1 if it comes in chunks.",
		example: "512",
		absent: "`0`",
		read: integer("requestContentLength", -1, BYTES_MAX),
	},
	{
		name: "req.content_encoding",
		type: "list<string>",
		doc: "The encodings of the body, in the order of `content-encoding` and in lower case.",
		example: "['gzip']",
		absent: "`[]`",
		read: derived(
			(a) => listHeader(a.requestHeaders, "content-encoding"),
			"requestHeaders:content-encoding",
		),
		size: requestList,
		parsingNanoseconds: 140,
	},
	{
		name: "req.ts.header_received",
		type: "timestamp",
		doc: "When the header of the request was complete.",
		example: "timestamp('2026-05-04T10:20:30.250Z')",
		read: derived((a) => timestampFromMs(a.requestReceivedMs), "requestReceivedMs"),
	},
] as const satisfies readonly VariableDefinition[];
