/**
 * Warnings about patterns and replacements that can't do what they look like (contract 3): a pattern for the path,
 * where the whole URL is searched; groups as other languages write them; expressions where none is filled in. Listed
 * by `url-rewrite.ts`.
 */
import { quoted } from "../../../documents/nearest.ts";
import type { ActionLint, Remark } from "../action.ts";

interface Rewrite {
	readonly from: string;
	readonly to: string;
	readonly format?: "nginx" | "cel" | undefined;
}

const NOTHING: readonly Remark[] = [];

/** `^/path`, also behind flags, groups or `\A`; the pattern meets `scheme://host/path`. The groups before the anchor first. */
const ANCHORED_PATH = /((?:\(\?[a-zA-Z]+\)|\((?:\?:|\?P?<\w+>)?)*)(?:\^|\\A)(?:\((?:\?:)?)*\\?\//y;
/** The same behind an anchor that stands before the group. */
const PATH = /(?:\((?:\?:)?)*\\?\//y;

const anchoredPath: ActionLint<Rewrite> = {
	code: "anchored_path",
	finds:
		"`from` is anchored to a path (`^/old`). The pattern meets the whole URL, so it never matches.",
	remedy: "Leave the anchor out, or write `^(https?://[^/]+)` in its place and `$1` before `to`.",
	inspect({ from }) {
		if (!isAnchored(from)) return NOTHING;
		const message = `${quoted(from)} never matches: the pattern meets the full URL, which starts with its scheme; leave the anchor out, or write ^(https?://[^/]+) in its place and $1 before "to"`;
		return [{ path: ["from"], message }];
	},
};

/** Parts of a pattern that can't be split: a quotation, an escape, a class, `${`, any other character. */
const PATTERN_PART =
	/\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\$\{(?!\d+(?:,\d*)?\})|./gs;
const NEXT_PART = new RegExp(PATTERN_PART.source, "ys");

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
	pattern.lastIndex = at;
	return pattern.exec(text);
};
/** Groups that a part, or the start of a pattern, opens more than it closes. */
const opened = (text: string): number => text.split("(").length - text.split(")").length;

/** Whether its start, and each that stands beside it (`^/a|^/b`, `^(/a|/b)`), is anchored to a path. Linear in its length. */
function isAnchored(pattern: string): boolean {
	let depth = 0;
	let anchorDepth = 0;
	let outermost = 0;
	let isStart = true;
	for (let at = 0; isStart || at < pattern.length; ) {
		if (isStart) {
			const anchored = matchAt(ANCHORED_PATH, pattern, at);
			const start = anchored ?? (depth > anchorDepth ? matchAt(PATH, pattern, at) : null);
			if (start === null) return false;
			if (anchored !== null) anchorDepth = depth + opened(anchored[1] ?? "");
			depth += opened(start[0]);
			outermost = depth;
			at += start[0].length;
			isStart = false;
			continue;
		}
		const part = matchAt(NEXT_PART, pattern, at)?.[0] ?? "";
		at += Math.max(part.length, 1);
		if (part === "(" || part === ")") depth += opened(part);
		outermost = Math.min(outermost, depth);
		isStart = part === "|" && depth === outermost;
	}
	return true;
}

/** `$` is the end of the URL, which nothing follows. */
const unfilledExpression: ActionLint<Rewrite> = {
	code: "unfilled_expression",
	finds:
		"`from` holds `${…}` with `format: nginx`. There `$` is the end of the URL, so it never matches.",
	remedy: "Leave `format` out: `${CEL}` is filled in then.",
	inspect({ from, format }) {
		if (format !== "nginx" || from.includes("\\Q")) return NOTHING;
		const parts = Array.from(from.matchAll(PATTERN_PART), ([part]) => part);
		if (!parts.includes("${")) return NOTHING;
		const message =
			'"$" is the end of the URL, so what begins with "${" never matches: with "format": "nginx" no expression is filled in; leave "format" out';
		return [{ path: ["from"], message }];
	},
};

const backslashGroup: ActionLint<Rewrite> = {
	code: "backslash_group",
	finds: "`to` holds `\\1`, as other languages write groups. Here it is a backslash and a digit.",
	remedy: "Write `$1`.",
	inspect({ to }) {
		const group = /\\([1-9])/.exec(to)?.[1];
		if (group === undefined) return NOTHING;
		const message = `"\\${group}" is a backslash and a digit; the group is written $${group}`;
		return [{ path: ["to"], message }];
	},
};

/** Patterns that match from the URL's start: `.*`, `^http…`, `^.*`, also behind flags and in groups. */
const FROM_START =
	/^(?:\(\?[a-zA-Z]+\))?(?:(?:\^|\\A)(?:\((?:\?:)?)*(?:http|\.[*+])|(?:\((?:\?:)?)*\.[*+])/;
/** Replacements whose result may be a URL: they begin with a scheme, or with a reference that may hold one. */
const MAY_BE_URL =
	/^(?:https?(?::|[$])|\$(?!(?:uri|request_uri|args|query_string|is_args|host|arg_\w+)\b|\$))/i;

const noUrl: ActionLint<Rewrite> = {
	code: "rewrite_to_no_url",
	finds:
		"`from` matches from the URL's scheme on and `to` has none, so the result is no URL (500).",
	remedy: "Match the path alone, or write `$scheme://$host` before `to`.",
	inspect({ from, to }) {
		// a group may have a variable's name
		if (/\||\(\?P?</.test(from) || !FROM_START.test(from) || MAY_BE_URL.test(to)) return NOTHING;
		const message = `${quoted(to)} is put in the place of the whole URL, which makes no URL (500): ${quoted(from)} matches from its scheme on; match the path alone, or write $scheme://$host before it`;
		return [{ path: ["to"], message }];
	},
};

export const REWRITE_LINTS: readonly ActionLint<Rewrite>[] = [
	anchoredPath,
	unfilledExpression,
	backslashGroup,
	noUrl,
];
