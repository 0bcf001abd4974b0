/**
 * Patterns and replacements that can't do what they look like (contract 3): written for a path where the whole
 * URL is met, with the groups of other languages, or with an expression where none is filled in. Among the lints
 * of `actions.ts`.
 */
import { quoted } from "../../../documents/nearest.ts";
import type { ActionDocument } from "../../document/schema.ts";
import type { Finding } from "../../lint/finding.ts";

type Config = Extract<ActionDocument, { type: "url-rewrite" }>["config"];

const LINTS: readonly ((config: Config) => Finding | undefined)[] = [
	anchoredPath,
	unfilledExpression,
	backslashGroup,
	noUrl,
];

export function rewriteMistakes(action: ActionDocument): readonly Finding[] {
	if (action.type !== "url-rewrite") return [];
	return LINTS.flatMap((lint) => lint(action.config) ?? []);
}

/** `^/path`, also behind flags, groups or `\A`; the pattern meets `scheme://host/path`. */
const ANCHORED_PATH = /^(?:\(\?[a-zA-Z]+\)|\((?:\?:|\?P?<\w+>)?)*(?:\^|\\A)(?:\((?:\?:)?)*\\?\//;

function anchoredPath({ from }: Config): Finding | undefined {
	if (!ANCHORED_PATH.test(from)) return undefined;
	const message = `${quoted(from)} never matches: the pattern meets the full URL, which starts with its scheme; leave the anchor out, or write ^(https?://[^/]+) in its place and $1 before "to"`;
	return { path: ["from"], code: "anchored_path", message };
}

/** Parts of a pattern that are read as a whole: an escape, a class. */
const PATTERN_PART = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$\{(?!\d+(?:,\d*)?\})|./gs;

/** `$` is the end of the URL, which nothing follows. */
function unfilledExpression({ from, format }: Config): Finding | undefined {
	if (format === "cel" || from.includes("\\Q")) return undefined;
	const parts = Array.from(from.matchAll(PATTERN_PART), ([part]) => part);
	if (!parts.includes("${")) return undefined;
	const message =
		'"$" is the end of the URL, so what begins with "${" never matches: expressions are filled in in "to" alone, with "format": "cel"; put the condition into the rule\'s expressions';
	return { path: ["from"], code: "unfilled_expression", message };
}

function backslashGroup({ to }: Config): Finding | undefined {
	const group = /\\([1-9])/.exec(to)?.[1];
	if (group === undefined) return undefined;
	const message = `"\\${group}" is a backslash and a digit; the group is written $${group}`;
	return { path: ["to"], code: "backslash_group", message };
}

/** The match begins where the URL does: `.*`, `^http…`, `^.*`, also behind flags and in groups. */
const FROM_START =
	/^(?:\(\?[a-zA-Z]+\))?(?:(?:\^|\\A)(?:\((?:\?:)?)*(?:http|\.[*+])|(?:\((?:\?:)?)*\.[*+])/;
/** What a replacement may begin with so that the result is a URL: a scheme, or what may hold one. */
const MAY_BE_URL =
	/^(?:https?(?::|[$])|\$(?!(?:uri|request_uri|args|query_string|is_args|host|arg_\w+)\b|\$))/i;

function noUrl({ from, to }: Config): Finding | undefined {
	// a group may have a variable's name
	if (/\||\(\?P?</.test(from) || !FROM_START.test(from) || MAY_BE_URL.test(to)) return undefined;
	const message = `${quoted(to)} is put in the place of the whole URL, which makes no URL (500): ${quoted(from)} matches from its scheme on; match the path alone, or write $scheme://$host before it`;
	return { path: ["to"], code: "rewrite_to_no_url", message };
}
