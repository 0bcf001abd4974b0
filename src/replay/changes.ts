/**
 * What policies have changed of a request and of its answer, as texts that are compared. Used by `simulation.ts`, where two
 * policies are.
 */
import { changedLines } from "../edge/headers/response-changes.ts";
import { upstreamHeader } from "../edge/proxying/upstream-header.ts";
import type { LogEntry } from "./log-entry.ts";
import type { ReplayedExchange } from "./replayed-exchange.ts";

/** Waits, and what is left of limits, differ with each limit: that is no difference worth telling. */
const OF_LIMITS = /^(?:x-)?ratelimit|^retry-after:/i;

/** @param headers name, value, name, value, … */
export function toldAnswer(headers: readonly string[], content: string): string {
	let text = "";
	for (let at = 0; at < headers.length; at += 2) {
		const line = `${headers[at]}: ${headers[at + 1]}\n`;
		if (!OF_LIMITS.test(line)) text += line;
	}
	return text + content;
}

/** Empty: as it came. */
export function requestChanged(exchange: ReplayedExchange): string {
	if (exchange.rewritten === undefined && exchange.requestChanges === undefined) return "";
	return `${exchange.target}\n${upstreamHeader(exchange, undefined)}`;
}

/** Empty: as the backend's. */
export function answerChanged(
	{ responseChanges }: ReplayedExchange,
	{ responseHeaders }: LogEntry,
): string {
	if (responseChanges === undefined) return "";
	let passed = "";
	for (let at = 0; at < responseHeaders.length; at += 2)
		passed += `${responseHeaders[at]}: ${responseHeaders[at + 1]}\r\n`;
	const changed = changedLines({ passed: passed.slice(0, -2), ascii: true }, responseChanges);
	return changed.passed
		.split("\r\n")
		.filter((line) => !OF_LIMITS.test(line))
		.join("\n");
}
