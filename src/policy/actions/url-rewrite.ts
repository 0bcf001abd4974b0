/**
 * url-rewrite (contract 5): replaces every match of a pattern in the whole normalised URL. Later rules and the
 * upstream see the new URL; the client sees nothing.
 */
import { z } from "zod";
import { fail, ok } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { text } from "../document/fields.ts";
import { isText, member } from "../document/members.ts";
import type { FieldProblem } from "../programs/problem.ts";
import { type Action, NO_RESULTS, type Prepare } from "./action.ts";
import { type From, parseFrom, plainFrom } from "./url-rewrite/from.ts";
import { REWRITE_LINTS } from "./url-rewrite/lint.ts";
import { parseReplacement } from "./url-rewrite/replacement.ts";
import { UrlRewrite } from "./url-rewrite/run.ts";

const config = z.strictObject({
	from: text(LIMITS.patternBytes)
		.min(1)
		.describe(
			"Pattern in RE2 syntax; meets the whole normalised URL, unanchored. May hold `${CEL expression}`, but with `nginx`, " +
				"which stands for its value as literal text.",
		),
	to: text(LIMITS.replacementBytes).describe(
		"Replaces every match. $1…$9, ${1}, $name: groups; $args, $query_string, $is_args, $uri, " +
			"$request_uri, $arg_NAME, $scheme, $host, $authority, $port: parts of the URL; $$ is a literal $.",
	),
	format: z
		.enum(["nginx", "cel"])
		.optional()
		.describe(
			"Without it `from` and `to` take ${CEL expression}; cel: `to` alone; nginx: ${…} in it holds names of groups and variables alone.",
		),
});

const NO_EXPRESSION: FieldProblem = {
	path: ["from"],
	code: "invalid_value",
	message:
		"takes no ${CEL expression} with `format: cel`; leave the format out, and `from` and `to` take them",
};

const prepare: Prepare = (submitted, phase, compiler) => {
	const from = member(submitted, "from");
	const to = member(submitted, "to");
	const format = member(submitted, "format");
	const problems: FieldProblem[] = [];
	let pattern: From | undefined;
	if (isText(from, LIMITS.patternBytes) && from !== "") {
		const parsed =
			format === "nginx" ? plainFrom(from, phase, compiler) : parseFrom(from, phase, compiler);
		if (!parsed.ok) problems.push(...parsed.error);
		else if (format === "cel" && parsed.value.isFilled) problems.push(NO_EXPRESSION);
		else pattern = parsed.value;
	}
	// an unknown format is most likely another name for `cel`: its expressions are checked too
	const assumed = format === "nginx" ? "nginx" : "cel";
	const parts = isText(to, LIMITS.replacementBytes)
		? parseReplacement(to, { format: assumed, pattern: pattern?.shape, phase, compiler })
		: ok([]);
	if (!parts.ok) problems.push(...parts.error);
	if (problems.length > 0) return fail(problems);
	const replacement = parts.ok ? parts.value : [];
	return ok(({ place }) => {
		if (pattern === undefined) throw new Error("url-rewrite without a pattern was not validated");
		return new UrlRewrite(pattern, replacement, place);
	});
};

export const urlRewrite: Action<typeof config> = {
	config,
	defaults: {},
	phases: ["inbound"],
	ends: { when: "never" },
	changes: ["url"],
	texts: { from: "pattern", to: "replacement" },
	results: NO_RESULTS,
	lints: REWRITE_LINTS,
	prepare,
	documentation: {
		purpose:
			"Changes the URL that later rules see and the backend gets. The pattern meets the whole URL in normal form, " +
			"`scheme://host[:port]/path?query`, and every match in it is replaced; text beside the matches stays. The path and " +
			"query of the result go to the backend. Another host in it changes the `host` header alone: the connection goes " +
			"where the route's `backend` says.",
		effect:
			"The client sees nothing. A result that is no URL, that is longer than " +
			`${LIMITS.rewrittenUrlCharacters} characters, or a pattern that matches too often in a long URL fails the request ` +
			"with 500, whatever `expression_errors` says.",
		example: {
			document: {
				inbound: [
					{
						name: "Version 1 took the user in the path",
						actions: [
							{
								type: "url-rewrite",
								config: { from: "/v1/user/([0-9]+)", to: "/v2/user?id=$1" },
							},
						],
					},
					{
						name: "One page for each language",
						expressions: ["req.url.path == '/'"],
						actions: [
							{
								type: "url-rewrite",
								config: {
									from: "/$",
									to: "/${hasReqCookie('lang') ? getReqCookie('lang').value : 'en'}/",
									format: "cel",
								},
							},
						],
					},
				],
			},
			requests: [
				{
					url: "http://shop.example/v1/user/42",
					becomes: "passes as http://shop.example/v2/user?id=42",
				},
				{
					url: "http://shop.example/",
					headers: [["cookie", "lang=de"]],
					becomes: "passes as http://shop.example/de/",
				},
				{ url: "http://shop.example/v2/user?id=42", becomes: "passes" },
			],
		},
	},
};
