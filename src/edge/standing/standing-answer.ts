/**
 * A local reply in pieces that the front puts together for each request: the very bytes that `response/write-response.ts`
 * has the front write for it. Made by `guard-code.ts`.
 */
import { asciiLowerCase } from "../../ascii.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { NativeRefusal, StandingAnswer } from "../../native-addon-standing.ts";
import type { Standing, StandingLimit } from "../../policy/exchange.ts";
import { replyOf } from "../phases/policy-replies.ts";
import { denied, type LocalReply, rateLimited, refusalReply } from "../response/local-replies.ts";
import { beginning } from "../response/status-line.ts";
import { hasNoBody } from "../response/write-response.ts";

const MILLISECONDS = 1000;
const isHostField = (name: string): boolean => name === "host";
const VERSION = "HTTP/1.1 ";
/** Seconds that stand in no reply otherwise. */
const MARK = 7_777_777;
const LENGTH = "content-length: ";

const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

/** @returns undefined for one that has no content whatever it holds, which is written otherwise */
function answerOf(reply: LocalReply): StandingAnswer | undefined {
	const { statusCode, bytes, headers, content } = reply;
	if (statusCode < 200 || hasNoBody("GET", statusCode)) return undefined;
	if (bytes !== undefined) {
		const lineEnd = bytes.text.indexOf("\r\n") + 2;
		return {
			pieces: [VERSION + bytes.text.slice(0, lineEnd), bytes.text.slice(lineEnd)],
			holes: "d",
			contentBytes: bytes.content.byteLength,
			contentSeconds: 0,
		};
	}
	const lines: string[] = [];
	for (let index = 0; index < headers.length; index += 2) {
		const name = headers[index] ?? "";
		if (asciiLowerCase(name) !== "date") lines.push(`${name}: ${latin1(headers[index + 1] ?? "")}`);
	}
	const contentBytes = Buffer.byteLength(content);
	return {
		pieces: [
			`${VERSION}${beginning(statusCode, lines.join("\r\n"))}\r\n`,
			`${LENGTH}${contentBytes}\r\n\r\n${latin1(content)}`,
		],
		holes: "d",
		contentBytes,
		contentSeconds: 0,
	};
}

/** Of a rate-limit without an answer of its own. */
function limitedAnswer(): StandingAnswer | undefined {
	const { bytes } = rateLimited(MARK);
	if (bytes === undefined) return undefined;
	const lineEnd = bytes.text.indexOf("\r\n") + 2;
	const [field = "", between = "", end = ""] = bytes.text.slice(lineEnd).split(String(MARK));
	const lengthEnd = between.indexOf(LENGTH) + LENGTH.length;
	const head = between.slice(lengthEnd).replace(/^\d+/, "");
	const digits = String(MARK).length;
	return {
		pieces: [VERSION + bytes.text.slice(0, lineEnd), field, between.slice(0, lengthEnd), head, end],
		holes: "dsls",
		contentBytes: bytes.content.byteLength - digits,
		contentSeconds: 1,
	};
}

function localReplyOf(refusal: Exclude<Standing, StandingLimit>): LocalReply {
	if (refusal.kind === "deny") return denied(refusal.statusCode);
	return refusal.kind === "respond"
		? replyOf(refusal)
		: refusalReply(refusal.reason, refusal.headers);
}

/** @returns undefined for one that the front can't make */
export function answerTo(refusal: Standing): StandingAnswer | undefined {
	if (refusal.kind === "limited") return limitedAnswer();
	const answer = answerOf(localReplyOf(refusal));
	return (answer?.contentBytes ?? 0) > LIMITS.standingContentBytes ? undefined : answer;
}

export function limitOf(refusal: Standing): Omit<NativeRefusal, keyof StandingAnswer> {
	if (refusal.kind !== "limited") {
		return { isLimited: false, limiter: 0, windowSeconds: 0, key: [], ipv6Prefix: 128 };
	}
	const { limiter, windowMs, ipv6Prefix } = refusal;
	const windowSeconds = windowMs / MILLISECONDS;
	return { isLimited: true, limiter, windowSeconds, key: keyOf(refusal), ipv6Prefix };
}

const keyOf = ({ elements }: StandingLimit): string[] =>
	elements.map((element) => {
		if (element.kind === "client_ip") return "a";
		if (element.kind === "host" || isHostField(element.name)) return "h";
		return `f${element.name}`;
	});
