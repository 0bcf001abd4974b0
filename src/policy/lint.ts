/**
 * Warnings about valid documents (contract 3 "Lint"): what is allowed and most likely not what was meant. Never
 * refuses; `validate.ts` adds them to its result, the API counts them in `policy-warnings`, `weir check` lists them.
 */
import type { Phase } from "../cel/expression.ts";
import type { Problem } from "../errors.ts";
import { pointerTo } from "../json-position.ts";
import { quoted } from "../nearest.ts";
import { parseKeyElement } from "./bucket-key.ts";
import type { Compiler } from "./compiler.ts";
import { unreachableRules } from "./reachability.ts";
import type { ActionDocument, PolicyDocument } from "./schema.ts";

export type Warning = Problem;

type Path = readonly PropertyKey[];
type Report = (path: Path, code: string, message: string) => void;

/** @param prefix where the module sits in what was submitted; pointers start there */
export function lint(
	document: PolicyDocument,
	compiler: Compiler,
	prefix: Path,
): readonly Warning[] {
	const warnings: Warning[] = [];
	const report: Report = (path, code, message) => {
		warnings.push({ pointer: pointerTo([...prefix, ...path]), code, message });
	};
	const unreachable = unreachableRules(document, compiler);
	for (const phase of ["inbound", "outbound"] as const) {
		for (const [index, rule] of document[phase].entries()) {
			const path = [phase, index];
			const reason = unreachable[phase].get(index);
			if (reason !== undefined) report(path, "unreachable_rule", reason);
			for (const [position, source] of rule.expressions.entries()) {
				lintExpression(source, phase, [...path, "expressions", position], compiler, report);
			}
			for (const [position, action] of rule.actions.entries()) {
				lintAction(action, [...path, "actions", position, "config"], report);
			}
		}
	}
	return warnings;
}

const LITERAL = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/sy;
const IN_HEADER_LINES =
	/\s+in\s+((?:req|res)\.headers\s*(?:\[\s*(?:'[^']*'|"[^"]*")\s*\]|\.\s*\w+)|get(?:Req|Res)Header\s*\(\s*(?:'[^']*'|"[^"]*")\s*\))/y;

/**
 * Finds `'x' in req.headers['h']`, `'x' in req.headers.h` or `"x" in getResHeader("h")`, which compare whole header lines. Goes from
 * literal to literal, so that it is linear and sees nothing inside of one.
 */
function exactMatch(source: string): { literal: string; lines: string } | undefined {
	for (let index = 0; index < source.length; ) {
		LITERAL.lastIndex = index;
		const literal = LITERAL.exec(source)?.[0];
		if (literal === undefined) {
			index++;
			continue;
		}
		index += literal.length;
		IN_HEADER_LINES.lastIndex = index;
		const lines = IN_HEADER_LINES.exec(source)?.[1];
		if (lines !== undefined) return { literal, lines };
	}
	return undefined;
}

function lintExpression(
	source: string,
	phase: Phase,
	path: Path,
	compiler: Compiler,
	report: Report,
): void {
	const compiled = compiler.predicate(source, phase);
	if (compiled.ok && compiled.value.constant !== undefined) {
		const always = compiled.value.constant ? "always true" : "never true";
		report(path, "constant_expression", `is ${always}`);
	}
	const exact = exactMatch(source);
	if (exact === undefined) return;
	const meant = `${exact.lines}.exists(v, v.contains(${exact.literal}))`;
	report(
		path,
		"exact_header_match",
		`matches a header line that is exactly ${exact.literal}; for a part of it write ${meant}`,
	);
}

/** `^/path`, also behind flags, groups or `\A`; the pattern meets `scheme://host/path`. */
const ANCHORED_PATH = /^(?:\(\?[a-zA-Z]+\)|\((?:\?:|\?P?<\w+>)?)*(?:\^|\\A)(?:\((?:\?:)?)*\\?\//;

function lintAction(action: ActionDocument, path: Path, report: Report): void {
	if (action.type === "url-rewrite" && ANCHORED_PATH.test(action.config.from)) {
		report(
			[...path, "from"],
			"anchored_path",
			`${quoted(action.config.from)} never matches: the pattern meets the full URL, which starts with its scheme`,
		);
	}
	if (action.type !== "rate-limit") return;
	for (const [index, text] of (action.config.bucket_key ?? []).entries()) {
		const element = parseKeyElement(text);
		// `host` chooses the route, so a client can't change it freely
		if (!element.ok || element.value.kind !== "header" || element.value.name === "host") continue;
		report(
			[...path, "bucket_key", index],
			"client_controlled_key",
			`any client can change the header "${element.value.name}" and get a bucket of its own`,
		);
	}
}
