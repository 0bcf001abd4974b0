/**
 * `weir diff` (contract 1): the difference between files and a server, between two files, or between versions of a policy.
 * Called by `main.ts`.
 */
import type { ValidationOptions } from "../../policy/document/validate.ts";
import { ApiFailure } from "../api/api-client.ts";
import { comparable, planOf, stepsOf } from "../apply/plan.ts";
import { type ReadFiles, readResources } from "../apply/resource-files.ts";
import type { Resources, StoredResource } from "../apply/resources.ts";
import { readServer } from "../apply/server-state.ts";
import { counted, planLines, terminalPainter } from "../apply/show-plan.ts";
import { nameOfGiven } from "../config/bounded-file.ts";
import type { ConfigSources } from "../config/load-config.ts";
import { apiTarget, judgedBy } from "./api-target.ts";
import { complain } from "./complain.ts";
import { diffVersions } from "./diff-versions.ts";
import { Progress } from "./progress.ts";

/** @returns the exit status: 0 no difference, 1 there is one, 2 it can't be told */
export async function diff(sources: ConfigSources, paths: readonly string[]): Promise<number> {
	const { versions } = sources.flags;
	if (typeof versions === "string") return diffVersions(sources, versions, paths);
	const [first, second, ...more] = paths;
	if (first === undefined || more.length > 0)
		return complain("diff needs one file or folder, or two of them (weir diff --help)");
	const options = judgedBy(sources);
	if (!options.ok) return complain(options.error);
	const old = read(first, options.value);
	if (old === undefined) return complain(`${nameOfGiven(first)} can't be compared`);
	if (second !== undefined) {
		const now = read(second, options.value);
		if (now === undefined) return complain(`${nameOfGiven(second)} can't be compared`);
		return told(now.resources, asStored(old.resources));
	}
	const target = apiTarget(sources);
	if (!target.ok) return complain(target.error);
	try {
		const progress = new Progress("read the server");
		const stored = await readServer(target.value, (done) => progress.tell(done));
		return told(old.resources, stored);
	} catch (error) {
		if (error instanceof ApiFailure) return complain(error.message);
		throw error;
	}
}

function read(path: string, options: ValidationOptions): ReadFiles | undefined {
	const files = readResources([path], options);
	if (files.ok) return files.value;
	for (const each of files.error) process.stderr.write(each);
	return undefined;
}

const asStored = (resources: Resources): Resources<StoredResource> =>
	new Map(
		[...resources].map(([key, resource]) => {
			// As a server would have it: a secret in a file is shown by its hash.
			const document = comparable(resource, undefined);
			return [key, { ...resource, document, etag: undefined }];
		}),
	);

function told(wanted: Resources, stored: Resources<StoredResource>): number {
	const plan = planOf(wanted, stored, true);
	process.stdout.write(planLines(plan, terminalPainter()));
	process.stdout.write(`${counted(plan)}\n`);
	return stepsOf(plan).length === 0 ? 0 : 1;
}
