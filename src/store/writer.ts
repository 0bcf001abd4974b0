/**
 * The supervisor's store: the reader plus writes, each of which answers when its commit is on disk.
 * What a write decides is in `writes.ts`; here it only waits its turn.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { CommitQueue } from "./commit-queue.ts";
import { changeIpList, deleteIpList, putIpList } from "./ip-list-writes.ts";
import type { IpListChange, IpListDocument, IpListRecord } from "./ip-lists.ts";
import { KeyUses } from "./key-uses.ts";
import { addKey, revokeKey } from "./key-writes.ts";
import type { Database } from "./lmdb/database.ts";
import { claimOwnership, releaseOwnership } from "./owner.ts";
import { policyPage } from "./policy-list.ts";
import { DatabaseReader } from "./reader.ts";
import type { EdgeDocument, NamedRoute, RouteDocument } from "./resources.ts";
import { routeBatch } from "./route-batch.ts";
import type { ListedPolicy, Page, Precondition, Stored, StoredKey, WriteResult } from "./store.ts";
import { StoreError } from "./store-error.ts";
import {
	type Operation,
	type TransactionalStore,
	type TransactionResult,
	transact,
} from "./transactions.ts";
import * as writes from "./writes.ts";

export class DatabaseStore extends DatabaseReader implements TransactionalStore {
	readonly #queue: CommitQueue;
	readonly #uses: KeyUses;
	readonly #token: string;
	readonly #directory: string;
	#isOurs = true;
	#closing: Promise<void> | undefined;

	/** @param token what ownership was claimed with */
	constructor(database: Database, token: string, directory: string) {
		super(database);
		this.#directory = directory;
		this.#queue = new CommitQueue(database);
		this.#uses = new KeyUses((operation) => this.#queue.write(operation));
		this.#token = token;
	}

	get identity(): string {
		return this.database.identity;
	}

	get loss(): string | undefined {
		return this.database.loss?.message;
	}

	putPolicy(
		edgeId: string,
		routeId: string,
		document: PolicyDocument,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#queue.write((transaction) =>
			writes.putPolicy(transaction, edgeId, routeId, document, precondition),
		);
	}

	deletePolicy(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#queue.write((transaction) =>
			writes.deletePolicy(transaction, edgeId, routeId, precondition),
		);
	}

	putEdge(
		edgeId: string,
		document: EdgeDocument,
		precondition: Precondition,
	): Promise<WriteResult<EdgeDocument>> {
		return this.#queue.write((transaction) =>
			writes.putEdge(transaction, edgeId, document, precondition),
		);
	}

	deleteEdge(edgeId: string, precondition: Precondition): Promise<WriteResult<EdgeDocument>> {
		return this.#queue.write((transaction) => writes.deleteEdge(transaction, edgeId, precondition));
	}

	putRoute(
		edgeId: string,
		routeId: string,
		document: RouteDocument,
		precondition: Precondition,
	): Promise<WriteResult<RouteDocument>> {
		return this.#queue.write((transaction) =>
			writes.putRoute(transaction, edgeId, routeId, document, precondition),
		);
	}

	deleteRoute(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<RouteDocument>> {
		return this.#queue.write((transaction) =>
			writes.deleteRoute(transaction, edgeId, routeId, precondition),
		);
	}

	listEdges(
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<EdgeDocument>> {
		return writes.page(this.database, "e/", limit, beforeId);
	}

	listRoutes(
		edgeId: string,
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<RouteDocument>> {
		return writes.page(this.database, `r/${edgeId}/`, limit, beforeId);
	}

	listPolicies(
		limit: number,
		before: string | undefined,
		which: "all" | "unattached",
	): Page<ListedPolicy> {
		return policyPage(this.database, limit, before, which);
	}

	routeBatch(limit: number, after: string | undefined): readonly NamedRoute[] {
		return routeBatch(this.database, limit, after);
	}

	putIpList(
		id: string,
		document: IpListDocument,
		precondition: Precondition,
	): Promise<WriteResult<IpListRecord>> {
		return this.#queue.write((transaction) => putIpList(transaction, id, document, precondition));
	}

	changeIpList(
		id: string,
		change: IpListChange,
		precondition: Precondition,
	): Promise<WriteResult<IpListRecord>> {
		return this.#queue.write((transaction) => changeIpList(transaction, id, change, precondition));
	}

	deleteIpList(id: string, precondition: Precondition): Promise<WriteResult<IpListRecord>> {
		return this.#queue.write((transaction) => deleteIpList(transaction, id, precondition));
	}

	listIpLists(
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<IpListRecord>> {
		return writes.page(this.database, "l/", limit, beforeId);
	}

	transact(operations: readonly Operation[]): Promise<TransactionResult> {
		return this.#queue.write((transaction) => transact(transaction, operations));
	}

	addKey(key: StoredKey): Promise<void> {
		return this.#queue.write((transaction) => addKey(transaction, key));
	}

	revokeKey(id: string): Promise<boolean> {
		return this.#queue.write((transaction) => revokeKey(transaction, id));
	}

	/** with uses that are not on disk yet */
	override keys(): readonly StoredKey[] {
		return super.keys().map((key) => {
			const lastUsedAt = this.#uses.of(key.id);
			return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
		});
	}

	noteKeyUse(id: string, nowMs: number): void {
		this.#uses.note(id, nowMs);
	}

	copyTo(directory: string): Promise<string> {
		return this.database.copyTo(directory);
	}

	assertKept(): void {
		const { loss } = this.database;
		if (loss !== undefined) throw loss;
	}

	hold(): Promise<void> {
		return this.#queue.hold(HELD);
	}

	release(): void {
		this.#queue.release();
	}

	async handOver(): Promise<void> {
		await this.#uses.write();
		await this.hold();
		this.database.commit((transaction) => releaseOwnership(transaction, this.#token));
		this.#isOurs = false;
	}

	takeBack(): void {
		const own = { token: this.#token, file: this.identity, directory: this.#directory };
		// It is ours still where it could not be given up.
		if (!this.#isOurs) this.database.commit((transaction) => claimOwnership(transaction, own));
		this.#isOurs = true;
		this.release();
	}

	/** Finishes the writes that wait, then gives the store up. */
	override close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	async #close(): Promise<void> {
		try {
			await this.#uses.close();
			await this.#queue.idle();
			if (this.#isOurs)
				this.database.commit((transaction) => releaseOwnership(transaction, this.#token));
		} catch (error) {
			// a record that can't be removed is that of a process that is gone
			if (!(error instanceof StoreError)) throw error;
		}
		await super.close();
	}
}

const HELD = new StoreError("weir is being upgraded: nothing is stored for a moment; try again", {
	held: true,
});
