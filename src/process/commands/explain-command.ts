/** `weir explain` (contract 1): what weir would do with a request, asked of the weir that runs. Called by `main.ts`. */
import { readDocument } from "../../documents/read-document.ts";
import { fail, ok, type Result } from "../../errors.ts";
import { type Explanation, explanationSchema } from "../../explain/shapes.ts";
import { LIMITS } from "../../limits/limits.ts";
import { ApiFailure, inWords } from "../api/api-client.ts";
import { readBounded } from "../config/bounded-file.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { curlLine } from "../explain/curl-line.ts";
import { paintFor } from "../explain/paint.ts";
import { rendered } from "../explain/render.ts";
import { apiTarget } from "./api-target.ts";
import { complain } from "./complain.ts";
import { explainLive } from "./explain-live.ts";

type Flags = ConfigSources["flags"];

/** @param words a URL, or a curl command line @returns the exit status */
export async function explain(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags, environment } = sources;
	if (words.length === 0)
		return complain("explain needs a URL, or a curl line behind -- (weir explain --help)");
	const line = curlLine(words);
	if (!line.ok) return complain(`${line.error} (weir explain --help)`);
	if (flags.live === true) return explainLive(sources, words, line.value.request.url);
	const question = questionOf(flags, line.value.request);
	if (!question.ok) return complain(question.error);
	const path = pathOf(flags);
	if (!path.ok) return complain(path.error);
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	const answer = await target.value.send("POST", path.value, question.value).catch(asFailure);
	if (answer instanceof ApiFailure) return complain(answer.message, 1);
	if (answer.status !== 200) return complain(inWords(answer), 1);
	const told = explanationSchema.safeParse(answer.body);
	if (!told.success)
		return complain("the server's answer can't be read: is it another version of weir?", 1);
	const { notes } = line.value;
	process.stdout.write(
		flags.json === true ? json(told.data, notes) : text(told.data, notes, environment),
	);
	return 0;
}

/** @throws whatever is no sentence for people */
function asFailure(error: unknown): ApiFailure {
	if (error instanceof ApiFailure) return error;
	throw error;
}

const json = (told: Explanation, notes: readonly string[]): string =>
	`${JSON.stringify({ ...told, notes: [...notes, ...told.notes] }, null, 2)}\n`;

const text = (
	told: Explanation,
	notes: readonly string[],
	environment: ConfigSources["environment"],
): string => rendered(told, notes, paintFor(process.stdout, environment));

function questionOf(flags: Flags, request: object): Result<object, string> {
	const policy = typeof flags.policy === "string" ? policyIn(flags.policy) : ok(undefined);
	if (!policy.ok) return policy;
	const response = responseOf(flags);
	if (!response.ok) return response;
	const from = typeof flags["client-ip"] === "string" ? { client_ip: flags["client-ip"] } : {};
	return ok({
		request: { ...request, ...from },
		...(response.value === undefined ? {} : { response: response.value }),
		...(typeof flags.now === "string" ? { now: flags.now } : {}),
		...(policy.value === undefined ? {} : { policy: policy.value }),
	});
}

/** JSON or YAML; what is wrong with the policy the server says. */
function policyIn(path: string): Result<unknown, string> {
	const bytes = readBounded(path, LIMITS.policyBytesMax);
	if (!bytes.ok) return fail(`${path} ${bytes.error}`);
	const parsed = readDocument(path, bytes.value);
	if (parsed.ok) return ok(parsed.value.value);
	const { line, column, message } = parsed.error;
	return fail(`${path}, line ${line}, column ${column}: ${message}`);
}

function responseOf(flags: Flags): Result<object | undefined, string> {
	const { response, "response-header": lines } = flags;
	if (typeof response !== "string") {
		return lines === undefined ? ok(undefined) : fail("--response-header needs --response STATUS");
	}
	if (!/^[2-5]\d\d$/.test(response)) return fail("--response needs a status, 200 to 599");
	const headers: Record<string, string[]> = {};
	for (const line of Array.isArray(lines) ? (lines as readonly string[]) : []) {
		const colon = line.indexOf(":");
		if (colon < 1)
			return fail(`--response-header "${line}" is no header field: write "name: value"`);
		const name = line.slice(0, colon).trim();
		headers[name] = [...(headers[name] ?? []), line.slice(colon + 1).trim()];
	}
	return ok({ status: Number(response), headers });
}

function pathOf({ edge, route }: Flags): Result<string, string> {
	if (edge === undefined && route === undefined) return ok("/explain");
	if (typeof edge !== "string" || typeof route !== "string")
		return fail("--edge and --route belong together: the route that is to be explained");
	const [edgeId, routeId] = [encodeURIComponent(edge), encodeURIComponent(route)];
	return ok(`/edges/https/${edgeId}/routes/${routeId}/policy/explain`);
}
