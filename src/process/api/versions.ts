/** Versions of a route's policy, as commands name and read them: for `weir diff --versions` and `weir rollback`. */
import type { ListedPolicyVersion } from "../../management/answers.ts";
import type { PolicyDocument } from "../../policy/document/schema.ts";
import { type ApiAnswer, type ApiClient, ApiFailure, inWords } from "./api-client.ts";

/** Path of the policy of `EDGE/ROUTE`; undefined: it is no such name. */
export function policyPathOf(name: string): string | undefined {
	const [edge, route, ...more] = name.split("/");
	if (!edge || !route || more.length > 0) return undefined;
	return `/edges/https/${encodeURIComponent(edge)}/routes/${encodeURIComponent(route)}/policy`;
}

export const isVersionNumber = (text: string): boolean => /^[1-9][0-9]{0,11}$/.test(text);

/** The policy as it was. @throws ApiFailure there is no such version */
export const versionAt = async (
	client: ApiClient,
	path: string,
	number: string,
): Promise<PolicyDocument> =>
	present(await client.send("GET", `${path}/versions/${number}`)).body as PolicyDocument;

/** What is in force. @returns undefined: there is no policy @throws ApiFailure */
export async function policyNow(
	client: ApiClient,
	path: string,
): Promise<{ readonly document: PolicyDocument; readonly etag: string } | undefined> {
	const found = await client.get(path);
	if (found === undefined) return undefined;
	return { document: found.body as PolicyDocument, etag: found.etag ?? "" };
}

/** Newest first. @throws ApiFailure */
export async function versionsOf(
	client: ApiClient,
	path: string,
): Promise<readonly ListedPolicyVersion[]> {
	const versions: ListedPolicyVersion[] = [];
	for (let next: string | null = `${path}/versions`; next !== null; ) {
		const page = present(await client.send("GET", next)).body as {
			readonly versions: readonly ListedPolicyVersion[];
			readonly next_page_uri: string | null;
		};
		versions.push(...page.versions);
		next = page.next_page_uri;
	}
	return versions;
}

function present(answer: ApiAnswer): ApiAnswer {
	if (answer.status === 200) return answer;
	throw new ApiFailure(inWords(answer));
}
