/** The commands that ask the management API of the weir that runs. A part of `commands.ts`. */
import type { Command } from "./command-line.ts";
import { API } from "./shared-flags.ts";

export const EXPLAIN: Command = {
	name: "explain",
	usage: "explain [flags] URL | explain [flags] -- curl ...",
	help: [
		"Tells what weir would do with a request: edge, route, every rule and why, what the backend and the client would get.",
		"The request is a URL or a curl command line; nothing is sent to a backend and nothing is counted, unless --live",
		"has curl send it.",
		"Asks the management API of the weir that runs, with an API key (role read is enough).",
		"Exit status: 0 explained, 1 it could not be, 2 wrong usage.",
	].join("\n"),
	flags: [
		{ name: "policy", value: "FILE", help: "a policy, JSON or YAML, in place of the stored one" },
		{
			name: "edge",
			value: "ID",
			help: "with --route: this route, whether or not the request comes to it",
		},
		{ name: "route", value: "ID", help: "see --edge" },
		{
			name: "client-ip",
			value: "ADDR",
			help: "where the connection comes from (default 127.0.0.1)",
		},
		{ name: "now", value: "TIME", help: "for time.now: 2027-01-31T18:00:00Z (default now)" },
		{ name: "response", value: "STATUS", help: "what the backend answers, for outbound rules" },
		{
			name: "response-header",
			value: "LINE",
			multiple: true,
			help: 'of that response, "name: value"; may be repeated',
		},
		{
			name: "live",
			help: "send the request with curl, and tell what became of it (role admin, --client-ip)",
		},
		{ name: "json", help: "the whole explanation as JSON" },
		...API,
	],
};

export const WHY: Command = {
	name: "why",
	usage: "why REQUEST-ID [flags]",
	help: [
		"Tells why a request was refused: which rule or rate-limit of which route, or what else. Of one that brought a token",
		"(weir explain --live, POST /explain-tokens) it tells every rule, refused or not.",
		"The id is in the request's line of the log and, with request_id.send, in the answer's field x-request-id.",
		"Asks the management API of the weir that runs, with an API key (role read is enough).",
		"Exit status: 0 told, 1 nothing is known of this request (any more), 2 wrong usage.",
	].join("\n"),
	flags: [{ name: "json", help: "print JSON" }, ...API],
};
