/**
 * A command's way to the management API of the weir that the configuration describes: address from the configuration or
 * `--api`, key from `WEIR_API_KEY`. Used by `commands/explain-command.ts` and `commands/why-command.ts`.
 */
import type { Config } from "../../config.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";

/** An address that says "all of this machine's" is asked at loopback. */
const ANY: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

export function apiAddress({ management }: Pick<Config, "management">): string {
	const { host, port, tls } = management;
	const name = ANY[host] ?? (host.includes(":") ? `[${host}]` : host);
	return `${tls.length > 0 ? "https" : "http"}://${name}:${port}`;
}

export class ApiClient {
	readonly #base: string;
	readonly #key: string | undefined;

	/** @param base `http://host:port` */
	constructor(base: string, key: string | undefined) {
		this.#base = base.replace(/\/+$/, "");
		this.#key = key;
	}

	/** @returns what is answered, or sentences that say why it is not */
	async ask(method: "GET" | "POST", path: string, body?: object): Promise<Result<unknown, string>> {
		if (this.#key === undefined)
			return fail(
				"the management API wants a key: set WEIR_API_KEY to one (weir keys create --role read makes one)",
			);
		let response: Response;
		try {
			response = await fetch(`${this.#base}${path}`, {
				method,
				headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
				...(body === undefined ? {} : { body: JSON.stringify(body) }),
				signal: AbortSignal.timeout(LIMITS.apiPatienceMs),
			});
		} catch (error) {
			return fail(
				`nobody answers at ${this.#base}: ${causeOf(error)}. Does weir run, and is this the address of its management API (--config, --management)?`,
			);
		}
		return answerOf(response);
	}
}

async function answerOf(response: Response): Promise<Result<unknown, string>> {
	const text = await response.text();
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return fail(`this is no answer of a management API: status ${response.status}`);
	}
	return response.ok ? ok(value) : fail(refusalOf(value, response.status));
}

function refusalOf(value: unknown, status: number): string {
	const { error_code, msg, problems } = value as {
		readonly error_code?: unknown;
		readonly msg?: unknown;
		readonly problems?: readonly { readonly pointer: string; readonly message: string }[];
	};
	const each = (problems ?? []).map(({ pointer, message }) => `  ${pointer || "/"}: ${message}`);
	return [`${msg ?? "the request was refused"} (${status} ${error_code ?? ""})`, ...each].join(
		"\n",
	);
}

function causeOf(error: unknown): string {
	const { cause, message } = error as Error;
	return cause instanceof Error && cause.message !== "" ? cause.message : message;
}
