/**
 * `weir explain --live` (contract 1): has curl send the real request with a token, and prints what became of it. Called by
 * `explain-command.ts`.
 */
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { asciiLowerCase } from "../../ascii.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { ExplainTokenAnswer } from "../../explain/live/token-schemas.ts";
import type { Decision } from "../../management/live/shapes.ts";
import { type ApiClient, ApiFailure, inWords } from "../api/api-client.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { paintFor } from "../explain/paint.ts";
import { renderedDecision } from "../explain/render-decision.ts";
import { apiTarget } from "./api-target.ts";
import { complain } from "./complain.ts";

/** About a request that nobody sends. */
const DRY = ["policy", "edge", "route", "now", "response", "response-header"] as const;
/** seconds that the token lives, for a request that takes long to begin */
const TOKEN_SECONDS = 300;

/** @param words a URL, or a curl command line @param url that it asks for @returns the exit status */
export async function explainLive(
	sources: ConfigSources,
	words: readonly string[],
	url: string,
): Promise<number> {
	const { flags, environment } = sources;
	const dry = DRY.find((name) => flags[name] !== undefined);
	if (dry !== undefined)
		return complain(`--${dry} is about a request that is not sent: leave it or --live out`);
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	const given = flags["client-ip"];
	const clientIp = typeof given === "string" ? given : await addressTowards(url);
	if (clientIp === undefined)
		return complain(`nobody knows the way to ${url}; --client-ip says where requests come from`, 1);
	try {
		const told = await decisionOn(target.value, clientIp, words);
		if (!told.ok) return complain(told.error, 1);
		const text = renderedDecision(told.value, paintFor(process.stdout, environment));
		process.stdout.write(flags.json === true ? `${JSON.stringify(told.value, null, 2)}\n` : text);
		return 0;
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message, 1);
		throw error;
	}
}

/** The address of this machine by which it reaches the URL's host; undefined: there is none. Nothing is sent. */
async function addressTowards(url: string): Promise<string | undefined> {
	const { hostname, port, protocol } = new URL(url.includes("://") ? url : `http://${url}`);
	const host = hostname.replace(/^\[|\]$/g, "");
	const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
	try {
		socket.connect(Number(port) || (protocol === "https:" ? 443 : 80), host);
		await once(socket, "connect");
		return socket.address().address;
	} catch {
		return undefined;
	} finally {
		socket.close();
	}
}

async function decisionOn(
	api: ApiClient,
	clientIp: string,
	words: readonly string[],
): Promise<Result<Decision, string>> {
	const wish = { client_ip: clientIp, ttl_seconds: TOKEN_SECONDS, requests: 1 };
	const issued = await api.send("POST", "/explain-tokens", wish);
	if (issued.status !== 200) return fail(inWords(issued));
	const { token, header, request_id_header: idHeader } = issued.body as ExplainTokenAnswer;
	const sent = await curl(words, `${header}: ${token}`);
	if (!sent.ok) return sent;
	const id = fieldIn(sent.value, idHeader);
	if (id === undefined)
		return fail(
			`the request was sent, and not explained: its answer has no ${idHeader}. Either it did not come to this weir, or not from ${clientIp}, which --client-ip can say`,
		);
	const answer = await api.send("GET", `/decisions/${encodeURIComponent(id)}`);
	return answer.status === 200 ? ok(answer.body as Decision) : fail(inWords(answer));
}

/** @returns the header lines of all answers; a sentence, if there was none */
function curl(words: readonly string[], line: string): Promise<Result<string, string>> {
	const own = words[0] === "curl" ? words.slice(1) : words;
	// Behind those that were given, so that they are in force.
	const more = ["-sS", "-o", "/dev/null", "-D", "-", "-H", line];
	return new Promise((resolve) => {
		const child = spawn("curl", [...own, ...more], { stdio: ["inherit", "pipe", "pipe"] });
		const [told, complained]: Buffer[][] = [[], []];
		child.stdout.on("data", (chunk) => told?.push(chunk));
		child.stderr.on("data", (chunk) => complained?.push(chunk));
		child.once("error", ({ message }) =>
			resolve(fail(`curl can't be started, which sends the request: ${message}`)),
		);
		child.once("close", (status) => {
			const text = Buffer.concat(told ?? []).toString("latin1");
			if (text !== "") return resolve(ok(text));
			const why = Buffer.concat(complained ?? []).toString();
			const without = `curl got no answer (exit status ${status})`;
			const hint = "weir's log has the line that explains it, if it came to weir";
			resolve(fail(`${[without, why.trim()].filter(Boolean).join(": ")}; ${hint}`));
		});
	});
}

/** Of the first answer that has it. @param name in any case */
function fieldIn(text: string, name: string): string | undefined {
	const start = `${asciiLowerCase(name)}:`;
	const line = text.split("\r\n").find((each) => asciiLowerCase(each).startsWith(start));
	return line?.slice(start.length).trim();
}
