/**
 * The supervisor's store: what `ResourceWrites` has, lists, and what stays on this machine. Writes of documents wait in the
 * queue that `open.ts` is given, or in the commit queue; a machine's own writes always in the latter.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { CommitQueue } from "./commit-queue.ts";
import type { IpListRecord } from "./ip-lists.ts";
import { KeyUses } from "./key-uses.ts";
import { addKey, NO_FLEET, revokeKey } from "./key-writes.ts";
import type { Database } from "./lmdb/database.ts";
import { claimOwnership, releaseOwnership } from "./owner.ts";
import { policyPage } from "./policy-list.ts";
import { policyAtVersion, versionPage, versionsKept } from "./policy-versions.ts";
import { ResourceWrites } from "./resource-writes.ts";
import type { EdgeDocument, NamedRoute, RouteDocument } from "./resources.ts";
import { routeBatch } from "./route-batch.ts";
import type { ListedPolicy, Page, Stored, StoredKey } from "./store.ts";
import { StoreError } from "./store-error.ts";
import type { TransactionalStore, TransactionalWrites } from "./transactions.ts";
import type { KeptVersions, PolicyVersion } from "./version-shapes.ts";
import type { QueueMaker, WriteOrigin } from "./write-queue.ts";
import * as writes from "./writes.ts";

export interface StoreOptions {
	/** where writes wait, if not for this machine's disk alone */
	readonly queueOf?: QueueMaker | undefined;
	/** of each policy, asked at every write; default: 0, none is written */
	readonly versionsKept?: () => number;
}

export class DatabaseStore extends ResourceWrites implements TransactionalStore {
	/** of what stays on this machine */
	readonly #local: CommitQueue;
	readonly #uses: KeyUses;
	readonly #token: string;
	readonly #directory: string;
	readonly #versionsKept: () => number;
	#isOurs = true;
	#closing: Promise<void> | undefined;

	/**
	 * @param token what ownership was claimed with
	 */
	constructor(database: Database, token: string, directory: string, options: StoreOptions) {
		const local = new CommitQueue(database);
		const { queueOf, versionsKept = () => 0 } = options;
		super(database, queueOf?.(database) ?? local, unknownOrigin, versionsKept);
		this.#versionsKept = versionsKept;
		this.#local = local;
		this.#directory = directory;
		this.#uses = new KeyUses((operation) => local.write(operation));
		this.#token = token;
	}

	by(origin: WriteOrigin): TransactionalWrites {
		return new ResourceWrites(this.database, this.queue, () => origin, this.#versionsKept);
	}

	get identity(): string {
		return this.database.identity;
	}

	get loss(): string | undefined {
		return this.database.loss?.message;
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

	listPolicyVersions(
		edgeId: string,
		routeId: string,
		limit: number,
		before: number | undefined,
	): Page<PolicyVersion> {
		return versionPage(this.database, edgeId, routeId, limit, before);
	}

	policyVersionsKept(edgeId: string, routeId: string): KeptVersions | undefined {
		return versionsKept(this.database, edgeId, routeId);
	}

	policyAtVersion(
		edgeId: string,
		routeId: string,
		number: number,
	): Stored<PolicyDocument> | undefined {
		return policyAtVersion(this.database, edgeId, routeId, number);
	}

	listIpLists(
		limit: number,
		beforeId: string | undefined,
	): Page<{ id: string } & Stored<IpListRecord>> {
		return writes.page(this.database, "l/", limit, beforeId);
	}

	/** with uses that are not on disk yet */
	override keys(): readonly StoredKey[] {
		return super.keys().map((key) => {
			const lastUsedAt = this.#uses.of(key.id);
			return lastUsedAt === undefined ? key : { ...key, lastUsedAt };
		});
	}

	override async addKey(key: StoredKey): Promise<void> {
		if (key.isLocal !== true) return super.addKey(key);
		if (this.queue === this.#local) throw NO_FLEET;
		return this.#local.write((transaction) => addKey(transaction, key));
	}

	override async revokeKey(id: string): Promise<boolean> {
		const isLocal = super.keys().some((key) => key.id === id && key.isLocal === true);
		if (!isLocal) return super.revokeKey(id);
		return this.#local.write((transaction) => revokeKey(transaction, id));
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

	async hold(): Promise<void> {
		await this.queue.hold(HELD);
		await this.#local.hold(HELD);
	}

	release(): void {
		this.#local.release();
		this.queue.release();
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
			await this.queue.idle();
			await this.#local.idle();
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

const unknownOrigin = (): WriteOrigin => ({ at: new Date().toISOString() });
