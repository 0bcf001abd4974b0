/** All policies that a store's files hold, for tests that compare whole contents; the product asks for one or a page. */
import type { PolicyDocument } from "../../src/policy/document/schema.ts";
import { decodeDocument, under } from "../../src/store/layout.ts";
import type { Database } from "../../src/store/lmdb/database.ts";
import type { StoreReader } from "../../src/store/store.ts";

export interface StoredPolicy {
	readonly edgeId: string;
	readonly routeId: string;
	readonly document: PolicyDocument;
}

export function* everyPolicy(reader: StoreReader): Iterable<StoredPolicy> {
	// Every reader is a `DatabaseReader`, which keeps its database to itself.
	const { database } = reader as unknown as { readonly database: Database };
	for (const { key, value } of database.range(under("p/"))) {
		const [, edgeId = "", routeId = ""] = key.split("/");
		yield { edgeId, routeId, document: decodeDocument<PolicyDocument>(value) };
	}
}
