/** Reads from a management API what is stored there, for `weir apply`, `export` and `diff`. */
import { LIMITS } from "../../limits/limits.ts";
import { type ApiClient, ApiFailure } from "../api/api-client.ts";
import { keyOf, pathOf, type Resource, type Resources, type StoredResource } from "./resources.ts";

type Client = Pick<ApiClient, "get" | "url">;
type Named = Pick<Resource, "kind" | "name">;
/** @param done from 0 to 1 */
type Told = (done: number) => void;

type Members = Readonly<Record<string, unknown>>;

/** What follows from the path. */
const OWN: readonly string[] = ["id", "edge_id", "uri"];

/** All there is. @throws ApiFailure */
export async function readServer(
	client: Client,
	told: Told = () => {},
): Promise<Resources<StoredResource>> {
	const lists = await listed(client, "/ip-lists", "ip_lists");
	const edges = await listed(client, "/edges/https", "edges");
	const policies = await listed(client, "/policies", "policies");
	const names: Named[] = [
		...lists.map((each) => ({ kind: "ip_list", name: text(each, "id") }) as const),
		...policies.map(
			(each) => ({ kind: "policy", name: `${text(each, "edge_id")}/${text(each, "id")}` }) as const,
		),
	];
	const found = new Map<string, StoredResource>();
	for (const [index, edge] of edges.entries()) {
		const name = text(edge, "id");
		keep(found, "edge", name, edge);
		for (const route of await listed(client, `/edges/https/${name}/routes`, "routes"))
			keep(found, "route", `${name}/${text(route, "id")}`, route);
		told(index / edges.length / 2);
	}
	for (const each of await readEach(client, names, (done) => told((1 + done) / 2)))
		found.set(keyOf(each), each);
	return found;
}

/** Those of these names that there are. @throws ApiFailure */
export async function readNamed(
	client: Client,
	names: readonly Named[],
	told: Told = () => {},
): Promise<Resources<StoredResource>> {
	return new Map((await readEach(client, names, told)).map((each) => [keyOf(each), each]));
}

/** Several at a time, as each is a way there and back. */
async function readEach(
	client: Client,
	names: readonly Named[],
	told: Told,
): Promise<readonly StoredResource[]> {
	const found: StoredResource[] = [];
	let next = 0;
	const reader = async (): Promise<void> => {
		for (;;) {
			const each = names[next++];
			if (each === undefined) return;
			const answer = await client.get(pathOf(each));
			if (answer !== undefined) {
				const document = withoutOwn(answer.body);
				found.push({ kind: each.kind, name: each.name, document, etag: answer.etag });
			}
			told(Math.min(next / names.length, 1));
		}
	};
	await Promise.all(Array.from({ length: LIMITS.apiClientRequests }, reader));
	return found;
}

/** Entries of all pages. */
async function listed(client: Client, path: string, field: string): Promise<readonly Members[]> {
	const found: Members[] = [];
	let next: unknown = `${path}?limit=${LIMITS.pageSize}`;
	while (typeof next === "string") {
		const body: unknown = (await client.get(next))?.body;
		const page: unknown = isMembers(body) ? body[field] : undefined;
		if (!isMembers(body) || !Array.isArray(page))
			throw new ApiFailure(`${client.url}${path} is no list of weir's; is --url right?`);
		found.push(...page.filter(isMembers));
		next = body.next_page_uri;
	}
	return found;
}

/** A list says no etags. */
function keep(
	found: Map<string, StoredResource>,
	kind: "edge" | "route",
	name: string,
	value: Members,
): void {
	const resource = { kind, name, document: withoutOwn(value), etag: undefined };
	found.set(keyOf(resource), resource);
}

const isMembers = (value: unknown): value is Members =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: Members, name: string): string => String(value[name] ?? "");

const withoutOwn = (value: unknown): Members =>
	isMembers(value)
		? Object.fromEntries(Object.entries(value).filter(([name]) => !OWN.includes(name)))
		: {};
