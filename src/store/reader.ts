/**
 * Reads of the durable state: what workers load their snapshots from, and the reading half of the
 * supervisor's store. Reads see one commit until `refresh` is called or the event loop turns.
 * Iterations trust the digests and decode one document at a time; single reads check them.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { entriesIn, type IpListDocument, type IpListRecord } from "./ip-lists.ts";
import { keysIn } from "./key-records.ts";
import {
	candidateKey,
	decode,
	decodeDocument,
	edgeKey,
	etagOf,
	idOf,
	jsonOf,
	keysRevisionOf,
	listEntriesKey,
	listKey,
	policyKey,
	routeKey,
	under,
	versionOf,
} from "./layout.ts";
import type { Database } from "./lmdb/database.ts";
import type { EdgeDocument, NamedRoute, RouteDocument } from "./resources.ts";
import type { Stored, StoredKey, StoreReader } from "./store.ts";

export class DatabaseReader implements StoreReader {
	protected readonly database: Database;

	constructor(database: Database) {
		this.database = database;
	}

	refresh(): void {
		this.database.refresh();
	}

	edge(edgeId: string): Stored<EdgeDocument> | undefined {
		return this.#read(edgeKey(edgeId));
	}

	route(edgeId: string, routeId: string): Stored<RouteDocument> | undefined {
		return this.#read(routeKey(edgeId, routeId));
	}

	policy(edgeId: string, routeId: string): Stored<PolicyDocument> | undefined {
		return this.#read(policyKey(edgeId, routeId));
	}

	policyEtag(edgeId: string, routeId: string): string | undefined {
		const value = this.database.get(policyKey(edgeId, routeId));
		return value === undefined ? undefined : etagOf(value);
	}

	policyText(edgeId: string, routeId: string): string | undefined {
		const value = this.database.get(policyKey(edgeId, routeId));
		return value === undefined ? undefined : jsonOf(value);
	}

	candidate(edgeId: string, routeId: string): Stored<PolicyDocument> | undefined {
		return this.#read(candidateKey(edgeId, routeId));
	}

	*candidates(): Iterable<{ readonly edgeId: string; readonly routeId: string }> {
		for (const key of this.database.keys(under("c/"))) {
			const [, edgeId = "", routeId = ""] = key.split("/");
			yield { edgeId, routeId };
		}
	}

	ipList(id: string): Stored<IpListDocument> | undefined {
		const record = this.#read<IpListRecord>(listKey(id));
		if (record === undefined) return undefined;
		const entries = [...entriesIn(this.ipListEntries(id) ?? "")];
		return { document: { entries, description: record.document.description }, etag: record.etag };
	}

	ipListEntries(id: string): string | undefined {
		return this.#read<string>(listEntriesKey(id))?.document;
	}

	*ipListIds(): Iterable<string> {
		for (const key of this.database.keys(under("l/"))) yield idOf(key);
	}

	*edges(): Iterable<{ readonly edgeId: string; readonly document: EdgeDocument }> {
		for (const { key, value } of this.database.range(under("e/"))) {
			yield { edgeId: idOf(key), document: decodeDocument<EdgeDocument>(value) };
		}
	}

	*routes(edgeId?: string): Iterable<NamedRoute> {
		const prefix = edgeId === undefined ? "r/" : `r/${edgeId}/`;
		for (const { key, value } of this.database.range(under(prefix))) {
			const [, ofEdge = "", routeId = ""] = key.split("/");
			yield { edgeId: ofEdge, routeId, document: decodeDocument<RouteDocument>(value) };
		}
	}

	version(): number {
		return versionOf(this.database);
	}

	counts(): { readonly edges: number; readonly routes: number; readonly policies: number } {
		return {
			edges: this.database.count(under("e/")),
			routes: this.database.count(under("r/")),
			policies: this.database.count(under("p/")),
		};
	}

	keys(): readonly StoredKey[] {
		return keysIn(this.database);
	}

	keysRevision(): number {
		return keysRevisionOf(this.database);
	}

	async close(): Promise<void> {
		await this.database.close();
	}

	#read<T>(key: string): Stored<T> | undefined {
		const value = this.database.get(key);
		return value === undefined ? undefined : decode<T>(value, key);
	}
}
