/** A management API over a real store in a folder of its own, and the two ways to talk to it: fetch and raw sockets. */
import { connect, type Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { FrontSettings } from "../../src/http/front.ts";
import { LIMITS } from "../../src/limits/limits.ts";
import { createApiKey } from "../../src/management/api-keys.ts";
import { LiveApi } from "../../src/management/live/live-api.ts";
import {
	type Management,
	type ManagementOptions,
	startManagement,
} from "../../src/management/server.ts";
import { openStore } from "../../src/store/open.ts";
import type { Change, Store } from "../../src/store/store.ts";
import { checkPolicy, checkValue } from "../../src/threads/policy-check.ts";
import { temporaryFolder } from "../store/folder.ts";
import { FakeSource } from "./live/source.ts";

export interface Api {
	readonly port: number;
	readonly key: string;
	readonly store: Store;
	/** every change published so far, in order */
	readonly published: Change[];
	/** what the server logged */
	readonly logged: object[];
	/** its audit lines */
	readonly audited: AuditLine[];
	readonly reload: Management["reload"];
	close(): Promise<void>;
	send(method: string, path: string, options?: Sending): Promise<Answer>;
}

/** As the log writes it. */
export type AuditLine = Readonly<Record<string, unknown>>;
const plain = (fields: object): AuditLine => JSON.parse(JSON.stringify(fields));

export interface Sending {
	/** a string or bytes go as they are, anything else as JSON */
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** null: no authorization at all */
	readonly key?: string | null;
}

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** the parsed body; undefined if there is none */
	// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
	readonly json: any;
}

/** As configured by default. */
export const FRONT: FrontSettings = {
	...{ requestHeaderMs: LIMITS.requestHeaderMs, idleMs: 60_000 },
	requestHeaderBytes: LIMITS.requestHeaderBytes,
};

/** Who reads clients. */
export const READERS: readonly (readonly [how: string, FrontSettings | undefined])[] = [
	["with the front", FRONT],
	["without it", undefined],
];

/** By default weir's own front reads its clients. */
export async function startApi(options: Partial<ManagementOptions> = {}): Promise<Api> {
	const folder = temporaryFolder();
	const store = options.store ?? openStore(folder, { versionsKept: () => 50 });
	const { key } = await createApiKey(store, "test");
	const published: Change[] = [];
	const logged: object[] = [];
	const audited: AuditLine[] = [];
	const management = await startManagement({
		host: "127.0.0.1",
		port: 0,
		store,
		publisher: { publish: async (changes) => void published.push(...changes) },
		configuredKey: undefined,
		limits: { policyBytes: 1_048_576, rules: 500 },
		policyChecker: {
			check: async (submitted, format, places, tests) =>
				"json" in submitted
					? checkValue(submitted.value, { rulesPerPhase: 500 }, tests)
					: checkPolicy(submitted, { rulesPerPhase: 500 }, format, places, tests),
		},
		explainer: { explain: async () => undefined },
		explainTokens: { issue: async () => undefined },
		requestIdHeader: () => "x-request-id",
		ready: () => true,
		front: () => "on",
		frontSettings: FRONT,
		counts: () => undefined,
		ipv6Prefix: () => 64,
		metrics: async () => "# HELP weir_test x\n",
		live: new LiveApi({ source: new FakeSource(), store, counts: () => undefined, version: "1" }),
		ui: { folder, isOn: () => true },
		log: { error: (fields) => logged.push(fields), audit: (fields) => audited.push(plain(fields)) },
		...options,
	});
	const close = async () => {
		await management.close();
		await store.close();
	};
	onTestFinished(close);
	const { port } = management;
	return {
		port,
		key,
		store,
		published,
		logged,
		audited,
		reload: (changed) =>
			management.reload({ frontSettings: options.frontSettings ?? FRONT, ...changed }),
		close,
		send: (method, path, sending = {}) =>
			send(`http://127.0.0.1:${port}${path}`, key, method, sending),
	};
}

async function send(url: string, key: string, method: string, options: Sending): Promise<Answer> {
	const { body } = options;
	const auth = options.key === undefined ? key : options.key;
	const isRaw = typeof body === "string" || body instanceof Uint8Array;
	const response = await fetch(url, {
		method,
		headers: {
			// As programs do; fetch would say that it takes anything, as curl does.
			accept: "application/json",
			...(auth === null ? {} : { authorization: `Bearer ${auth}` }),
			...(body === undefined ? {} : { "content-type": "application/json" }),
			...options.headers,
		},
		...(body === undefined
			? {}
			: { body: isRaw ? (body as string) : JSON.stringify(body), duplex: "half" }),
	});
	const text = await response.text();
	expect(response.headers.get("request-id")).toMatch(/^req_[0-9a-f]{24}$/);
	return {
		status: response.status,
		headers: response.headers,
		text,
		json: text.startsWith("{") ? JSON.parse(text) : undefined,
	};
}

/** The answer has the published error shape with this status and code; returns it for more questions. */
export function expectError(answer: Answer, status: number, code: string): Answer {
	expect({ status: answer.status, code: answer.json?.error_code }).toEqual({ status, code });
	expect(answer.headers.get("content-type")).toBe("application/json");
	expect(Object.keys(answer.json)).toEqual([
		"error_code",
		"status_code",
		"msg",
		"details",
		"problems",
	]);
	expect(answer.json.status_code).toBe(status);
	expect(answer.json.msg).toMatch(/^[A-Z].*\.$/s);
	expect(answer.json.details.operation_id).toMatch(/^op_[0-9a-f]{24}$/);
	for (const text of Object.values(answer.json.details)) expect(typeof text).toBe("string");
	for (const { pointer, message } of answer.json.problems) {
		expect(answer.json.details[pointer]).toContain(message);
	}
	expect(answer.text).not.toMatch(/\bat .*\.ts|node_modules|weir_/);
	return answer;
}

export interface RawAnswer {
	readonly text: string;
	/** the server closed the connection */
	readonly closed: boolean;
}

/** Sends bytes as they are and reads until the server closes or `until` is satisfied. */
export function raw(
	port: number,
	parts: string | readonly (string | Uint8Array)[],
	until: (text: string) => boolean = () => false,
): Promise<RawAnswer> {
	return new Promise((resolve, reject) => {
		const socket: Socket = connect(port, "127.0.0.1");
		let text = "";
		const deadline = setTimeout(() => {
			socket.destroy();
			reject(new Error(`no end of the answer; so far: ${JSON.stringify(text)}`));
		}, 15_000);
		const finish = (closed: boolean) => {
			clearTimeout(deadline);
			socket.destroy();
			resolve({ text, closed });
		};
		socket.on("data", (chunk) => {
			text += chunk.toString("latin1");
			if (until(text)) finish(false);
		});
		socket.on("close", () => finish(true));
		socket.on("error", () => finish(true));
		for (const part of Array.isArray(parts) ? parts : [parts]) socket.write(part);
	});
}

/** A request's header as text; `lines` come after host and authorization. */
export const header = (key: string, request: string, ...lines: readonly string[]): string =>
	[`${request} HTTP/1.1`, "host: localhost", `authorization: Bearer ${key}`, ...lines, "", ""].join(
		"\r\n",
	);

export const POLICY = "/edges/https/e/routes/r/policy";
export const edge = (...hostports: readonly string[]) => ({ hostports });
export const backend = { urls: ["http://127.0.0.1:9000"] };
export const route = (match: string, match_type = "path_prefix") => ({
	match_type,
	match,
	backend,
});

/** For `raw`: the header of an answer without a body has come. */
export const headerEnd = (text: string): boolean => text.includes("\r\n\r\n");
/** For `raw`: an answer with a JSON object has come. */
export const complete = (text: string): boolean => headerEnd(text) && text.endsWith("}");

/** Pointer and message of each problem of a refused document. */
export const problemsOf = (answer: Answer): [string, string][] =>
	expectError(answer, 400, "ERR_INVALID_DOCUMENT").json.problems.map(
		({ pointer, message }: { pointer: string; message: string }) => [pointer, message],
	);
