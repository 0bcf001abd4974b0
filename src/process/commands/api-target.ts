/**
 * Which management API a command talks to, and with which key, by its flags. Called by the commands
 * `apply`, `export`, `diff`, `explain` and `why`.
 */
import { fail, ok, type Result } from "../../errors.ts";
import type { ValidationOptions } from "../../policy/document/validate.ts";
import { ApiClient } from "../api/api-client.ts";
import { boundsOf } from "../check/check-policy.ts";
import { API_KEY_VARIABLE } from "../config/environment.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";

/** By what documents in files are judged: the limits of a configuration that is given, else the defaults. */
export function judgedBy(sources: ConfigSources): Result<ValidationOptions, readonly string[]> {
	if (sources.flags.config === undefined) return ok(boundsOf(undefined).options);
	const loaded = loadConfig(sources);
	return loaded.ok ? ok(boundsOf(loaded.value.config).options) : loaded;
}

/** @returns the error is sentences */
export function apiTarget(sources: ConfigSources): Result<ApiClient, string | readonly string[]> {
	const { flags, environment } = sources;
	const key = typeof flags.key === "string" ? flags.key : environment[API_KEY_VARIABLE];
	if (key === undefined || key === "")
		return fail(
			`an API key is needed: set ${API_KEY_VARIABLE}, or give --key (weir keys create makes one)`,
		);
	if (typeof flags.url === "string") {
		const { url } = flags;
		const isUrl = URL.canParse(url) && /^https?:\/\/[^/?#]+\/?$/i.test(url);
		if (!isUrl) return fail(`--url: "${url}" is no URL of a server, such as http://127.0.0.1:4040`);
		return ok(new ApiClient(url, key));
	}
	const loaded = loadConfig(sources);
	if (!loaded.ok) return loaded;
	const { host, port, tls } = loaded.value.config.management;
	const scheme = tls.length === 0 ? "http" : "https";
	const named = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
	return ok(
		new ApiClient(`${scheme}://${named.includes(":") ? `[${named}]` : named}:${port}`, key),
	);
}
