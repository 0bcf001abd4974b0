/**
 * `weir serve --demo`: an echo upstream, one edge, one route, a policy with one rule of each kind, and
 * curl lines that work when pasted (contract 1). Nothing leaves the machine. Called by `serve.ts`.
 */
import type { Config } from "../../config.ts";
import { LIMITS } from "../../limits/limits.ts";
import { createApiKey } from "../../management/api-keys.ts";
import type { Publisher } from "../../management/publisher.ts";
import { validatePolicy } from "../../policy/document/validate.ts";
import type { Change, Store, WriteResult } from "../../store/store.ts";
import { formatAddress } from "../config/address.ts";
import { startEchoUpstream } from "./echo-upstream.ts";

const DEMO_POLICY = {
	inbound: [
		{
			name: "Rewrite v0 API calls to v1",
			expressions: ["req.url.path.startsWith('/v0/')"],
			actions: [
				{
					type: "url-rewrite",
					config: { from: "v0/user/([0-9]+).*", to: "v1/user?id=$1&$args" },
				},
			],
		},
		{
			name: "Block AI crawlers",
			expressions: ["req.user_agent.matches('(?i)(gptbot|chatgpt-user)/')"],
			actions: [{ type: "deny" }],
		},
		{
			name: "Answer at the edge",
			expressions: ["req.url.path == '/hello'"],
			actions: [
				{
					type: "custom-response",
					config: {
						status_code: 200,
						content: '{"hello":"${conn.client_ip}","at":"${time.now}"}',
						headers: { "x-answered-by": "weir" },
					},
				},
			],
		},
		{
			name: "Five a minute and client",
			expressions: ["req.url.path == '/limited'"],
			actions: [
				{
					type: "rate-limit",
					config: {
						name: "five a minute",
						algorithm: "sliding_window",
						capacity: 5,
						rate: "60s",
						bucket_key: ["conn.client_ip"],
					},
				},
			],
		},
	],
	outbound: [
		{
			name: "Log errors",
			expressions: ["res.status_code >= 500"],
			actions: [
				{
					type: "log",
					config: { metadata: { message: "upstream error", path: "${req.url.path}" } },
				},
			],
		},
	],
};

const EDGE = "demo";
const ROUTE = "demo";

/**
 * @param newKey the server's first key, if this start made it; otherwise the demo makes one of its own
 * @param isTemporary the data folder is removed at the end
 */
export async function startDemo(
	store: Store,
	publisher: Publisher,
	config: Config,
	newKey: string | undefined,
	{ isTemporary }: { readonly isTemporary: boolean },
): Promise<void> {
	const upstream = await startEchoUpstream();
	await install(store, publisher, upstream.url);
	const key = newKey ?? (await demoKey(store));
	const listener = config.listen[0];
	if (listener === undefined) throw new Error("the demo needs a listener");
	const scheme = listener.tls.length > 0 ? "https" : "http";
	const data = `${scheme}://${formatAddress(reachable(listener))}`;
	const managementScheme = config.management.tls.length > 0 ? "https" : "http";
	const management = `${managementScheme}://${formatAddress(reachable(config.management))}`;
	const folder = `${config.dataDir}${isTemporary ? " (removed when the demo ends)" : ""}`;
	const page = config.management.ui
		? `Watch it live in a browser: ${management}/ui/ with the API key ${key}\n`
		: "";
	process.stdout.write(demoText(data, management, key, upstream.url, folder, page));
}

async function install(store: Store, publisher: Publisher, upstreamUrl: string): Promise<void> {
	const checked = validatePolicy(DEMO_POLICY, { rulesPerPhase: LIMITS.rulesPerPhase });
	if (!checked.ok) throw new Error(`the demo's policy: ${checked.error[0]?.message}`);
	const edge = { hostports: ["*"], description: "demo", metadata: "" };
	const route = {
		match_type: "path_prefix" as const,
		match: "/",
		backend: { urls: [upstreamUrl] },
	};
	for (const result of [
		await store.putEdge(EDGE, edge, {}),
		await store.putRoute(EDGE, ROUTE, route, {}),
		await store.putPolicy(EDGE, ROUTE, checked.value.document, {}),
	]) {
		await publisher.publish(changesOf(result));
	}
}

function changesOf(result: WriteResult<unknown>): readonly Change[] {
	if (!("refused" in result)) return result.changes;
	throw new Error(
		result.refused === "hostport_conflict"
			? `the demo needs the hostport "*", which belongs to edge "${result.edgeId}"; use another --data-dir`
			: `the demo could not be set up: ${result.refused}`,
	);
}

/** A key of its own each time, because a stored one can't be printed again. */
async function demoKey(store: Store): Promise<string> {
	for (const { id, name } of store.keys()) {
		if (name === "demo") await store.revokeKey(id);
	}
	return (await createApiKey(store, "demo")).key;
}

/** Where curl on this machine finds a listener that is bound to every interface. */
function reachable({ host, port }: { host: string; port: number }): { host: string; port: number } {
	return { host: host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port };
}

function demoText(
	data: string,
	management: string,
	key: string,
	upstream: string,
	folder: string,
	page: string,
): string {
	const policy = `${management}/edges/https/${EDGE}/routes/${ROUTE}/policy`;
	const curlOf = (url: string) => (url.startsWith("https:") ? "curl -k" : "curl");
	const curl = curlOf(data);
	const manage = curlOf(management);
	const lockdown = JSON.stringify({
		inbound: [{ expressions: ["req.method != 'GET'"], actions: [{ type: "deny" }] }],
	});
	return `
weir demo: data path ${data}, management ${management}, echo upstream ${upstream}
Data directory ${folder}
${page}Paste these lines into another terminal.

# 1. proxied: the echo upstream shows what reached it
${curl} -s '${data}/anything?x=1'

# 2. rewritten: the upstream gets /v1/user?id=42&x=1
${curl} -s '${data}/v0/user/42?x=1'

# 3. denied: 403
${curl} -si -A 'GPTBot/1.0' '${data}/'

# 4. answered at the edge
${curl} -si '${data}/hello'

# 5. limited: five a minute pass, then 429
${curl} -s -o /dev/null -w '%{http_code}\\n' '${data}/limited?[1-7]'

# 6. logged: a JSON line appears in this terminal
${curl} -s -o /dev/null '${data}/status/503'

# 7. read the policy
${manage} -s -H 'Authorization: Bearer ${key}' -H 'Service-Version: 2' '${policy}'

# 8. replace it: from the answer on, only GET passes
${manage} -s -X PUT -H 'Authorization: Bearer ${key}' -H 'Service-Version: 2' -H 'Content-Type: application/json' -d '${lockdown.replaceAll("'", "'\\''")}' '${policy}'
${curl} -si -X POST -d 'x' '${data}/anything'

Ctrl-C ends the demo.
`;
}
