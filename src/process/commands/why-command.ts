/** `weir why ID` (contract 1): why a request was refused, asked of the weir that runs. Called by `main.ts`. */
import type { Refusal } from "../../management/live/shapes.ts";
import { ApiClient, apiAddress } from "../api/api-client.ts";
import { type ConfigSources, loadConfig } from "../config/load-config.ts";
import { paintFor } from "../explain/paint.ts";
import { renderedDecision } from "../explain/render-decision.ts";
import { complain } from "./complain.ts";

/** @param words the request's id @returns the exit status */
export async function why(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags, environment } = sources;
	const [id] = words;
	if (id === undefined || words.length > 1)
		return complain(
			"why needs the id of one request, as its answer or the log has it (weir why --help)",
		);
	const loaded = loadConfig(sources);
	if (!loaded.ok) return complain(loaded.error);
	const { config, apiKey } = loaded.value;
	const base = typeof flags.api === "string" ? flags.api : apiAddress(config);
	const answer = await new ApiClient(base, apiKey).ask(
		"GET",
		`/decisions/${encodeURIComponent(id)}`,
	);
	if (!answer.ok) return complain(answer.error, 1);
	const refusal = answer.value as Refusal;
	const text = renderedDecision(refusal, paintFor(process.stdout, environment));
	process.stdout.write(flags.json === true ? `${JSON.stringify(refusal, null, 2)}\n` : text);
	return 0;
}
