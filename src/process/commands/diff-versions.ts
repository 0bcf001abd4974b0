/** `weir diff --versions A..B EDGE/ROUTE` (contract 1): what changed between two versions of a policy. Called by `diff-command.ts`. */
import { ApiFailure } from "../api/api-client.ts";
import { isVersionNumber, policyNow, policyPathOf, versionAt } from "../api/versions.ts";
import { documentLines, terminalPainter } from "../apply/show-plan.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { apiTarget } from "./api-target.ts";
import { complain } from "./complain.ts";

/** @returns the exit status: 0 no difference, 1 there is one, 2 it can't be told */
export async function diffVersions(
	sources: ConfigSources,
	versions: string,
	words: readonly string[],
): Promise<number> {
	const [name = "", ...more] = words;
	const path = policyPathOf(name);
	if (path === undefined || more.length > 0)
		return complain("diff --versions needs one route, as EDGE/ROUTE (weir diff --help)");
	const [old = "", now, ...rest] = versions.split("..");
	const isNow = now === undefined || now === "";
	if (!isVersionNumber(old) || !(isNow || isVersionNumber(now)) || rest.length > 0)
		return complain(
			`--versions: "${versions}" is no pair of versions, such as 3..5, or 3 to compare with what is in force`,
		);
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	const client = target.value;
	try {
		const before = await versionAt(client, path, old);
		const after = isNow
			? (await policyNow(client, path))?.document
			: await versionAt(client, path, now);
		const lines = documentLines({ kind: "policy", before, after }, terminalPainter());
		const isSame = JSON.stringify(before) === JSON.stringify(after);
		const to = isNow ? "what is in force" : `version ${now}`;
		const title = `policy ${name}: version ${old} and ${to} ${isSame ? "are the same" : "differ"}\n`;
		process.stdout.write(isSame ? title : title + lines);
		return isSame ? 0 : 1;
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message);
		throw error;
	}
}
