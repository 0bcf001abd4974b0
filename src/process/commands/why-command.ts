/** `weir why ID` (contract 1): why a request was refused, or went as it did, asked of the weir that runs. Called by `main.ts`. */
import type { Decision } from "../../management/live/shapes.ts";
import { ApiFailure, inWords } from "../api/api-client.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { paintFor } from "../explain/paint.ts";
import { renderedDecision } from "../explain/render-decision.ts";
import { apiTarget } from "./api-target.ts";
import { complain } from "./complain.ts";

/** @param words the request's id @returns the exit status */
export async function why(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags, environment } = sources;
	const [id] = words;
	if (id === undefined || words.length > 1)
		return complain(
			"why needs the id of one request, as its answer or the log has it (weir why --help)",
		);
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	try {
		const answer = await target.value.send("GET", `/decisions/${encodeURIComponent(id)}`);
		if (answer.status !== 200) return complain(inWords(answer), 1);
		const decision = answer.body as Decision;
		const text = renderedDecision(decision, paintFor(process.stdout, environment));
		process.stdout.write(flags.json === true ? `${JSON.stringify(decision, null, 2)}\n` : text);
		return 0;
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message, 1);
		throw error;
	}
}
