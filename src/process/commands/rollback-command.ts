/** `weir rollback` (contract 1): a former version of a policy is in force again; shows the difference first. Called by `main.ts`. */
import { type ApiClient, ApiFailure, inWords } from "../api/api-client.ts";
import {
	isVersionNumber,
	policyNow,
	policyPathOf,
	versionAt,
	versionsOf,
} from "../api/versions.ts";
import { documentLines, terminalPainter } from "../apply/show-plan.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { isAgreed, notAgreed } from "./agreement.ts";
import { apiTarget } from "./api-target.ts";
import { complain } from "./complain.ts";
import { versionTable } from "./version-table.ts";

/** @param words `EDGE/ROUTE`, and the version @returns the exit status */
export async function rollback(sources: ConfigSources, words: readonly string[]): Promise<number> {
	const { flags } = sources;
	const [name = "", version, ...more] = words;
	const path = policyPathOf(name);
	if (path === undefined || more.length > 0)
		return complain(
			"rollback needs one route, as EDGE/ROUTE, and a version (weir rollback --help)",
		);
	if (version !== undefined && !isVersionNumber(version))
		return complain(`"${version}" is no number of a version; weir rollback ${name} lists them`);
	if (flags["dry-run"] === true && flags.yes === true)
		return complain("--dry-run changes nothing, --yes does; give one of them");
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	const client = target.value;
	try {
		if (version !== undefined) return await rolledBack(client, name, path, version, flags);
		process.stdout.write(versionTable(await versionsOf(client, path)));
		return 0;
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message, 1);
		throw error;
	}
}

async function rolledBack(
	client: ApiClient,
	name: string,
	path: string,
	version: string,
	flags: ConfigSources["flags"],
): Promise<number> {
	const after = await versionAt(client, path, version);
	const now = await policyNow(client, path);
	if (JSON.stringify(now?.document) === JSON.stringify(after)) {
		process.stdout.write(`policy ${name} is as version ${version} already\n`);
		return 0;
	}
	process.stdout.write(`~ policy ${name}, back to version ${version}\n`);
	const before = now?.document;
	process.stdout.write(documentLines({ kind: "policy", before, after }, terminalPainter()));
	if (flags["dry-run"] === true) return 0;
	if (flags.yes !== true && !(await isAgreed(`put this in force at ${client.url}?`)))
		return notAgreed("--yes, or --dry-run");
	const condition = now === undefined ? { "if-none-match": "*" } : { "if-match": now.etag };
	const body = { to: Number(version) };
	const answer = await client.send("POST", `${path}/rollback`, body, condition);
	if (answer.status === 200 || answer.status === 202) {
		process.stdout.write(`done: version ${version} is in force\n`);
		return 0;
	}
	const isStale = answer.status === 412;
	return complain(
		isStale
			? "nothing was changed: somebody else changed the policy meanwhile; run the command again to see what it is now"
			: `nothing was changed: ${inWords(answer)}`,
		1,
	);
}
