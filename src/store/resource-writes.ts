/**
 * The writes of resources and API keys, each an operation that waits its turn in a queue. What a write decides is in
 * `writes.ts`, `ip-list-writes.ts` and `key-writes.ts`. Made by `writer.ts`, one for each origin of a write.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { deleteCandidate, promoteCandidate, putCandidate } from "./candidate-writes.ts";
import { changeIpList, deleteIpList, putIpList } from "./ip-list-writes.ts";
import type { IpListChange, IpListDocument, IpListRecord } from "./ip-lists.ts";
import { addKey, revokeKey } from "./key-writes.ts";
import type { Database, Writes } from "./lmdb/database.ts";
import { DatabaseReader } from "./reader.ts";
import type { EdgeDocument, RouteDocument } from "./resources.ts";
import type { Precondition, StoredKey, WriteResult } from "./store.ts";
import {
	type Operation,
	type TransactionalWrites,
	type TransactionResult,
	transact,
} from "./transactions.ts";
import type { Keeping } from "./version-shapes.ts";
import type { WriteOrigin, WriteQueue } from "./write-queue.ts";
import * as writes from "./writes.ts";

export class ResourceWrites extends DatabaseReader implements TransactionalWrites {
	protected readonly queue: WriteQueue;
	readonly #origin: () => WriteOrigin;
	readonly #versionsKept: () => number;

	constructor(
		database: Database,
		queue: WriteQueue,
		origin: () => WriteOrigin,
		versionsKept: () => number,
	) {
		super(database);
		this.queue = queue;
		this.#origin = origin;
		this.#versionsKept = versionsKept;
	}

	putPolicy(
		edgeId: string,
		routeId: string,
		document: PolicyDocument,
		precondition: Precondition,
		rolledBackTo?: number,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#write((transaction, origin) =>
			writes.putPolicy(transaction, edgeId, routeId, document, precondition, {
				...this.#keeping(origin),
				rolledBackTo,
			}),
		);
	}

	deletePolicy(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#write((transaction) =>
			writes.deletePolicy(transaction, edgeId, routeId, precondition),
		);
	}

	putCandidate(
		edgeId: string,
		routeId: string,
		document: PolicyDocument,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#write((transaction) =>
			putCandidate(transaction, edgeId, routeId, document, precondition),
		);
	}

	deleteCandidate(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#write((transaction) =>
			deleteCandidate(transaction, edgeId, routeId, precondition),
		);
	}

	promoteCandidate(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<PolicyDocument>> {
		return this.#write((transaction, origin) =>
			promoteCandidate(transaction, edgeId, routeId, precondition, (document) =>
				writes.putPolicy(transaction, edgeId, routeId, document, {}, this.#keeping(origin)),
			),
		);
	}

	putEdge(
		edgeId: string,
		document: EdgeDocument,
		precondition: Precondition,
	): Promise<WriteResult<EdgeDocument>> {
		return this.#write((transaction) =>
			writes.putEdge(transaction, edgeId, document, precondition),
		);
	}

	deleteEdge(edgeId: string, precondition: Precondition): Promise<WriteResult<EdgeDocument>> {
		return this.#write((transaction) => writes.deleteEdge(transaction, edgeId, precondition));
	}

	putRoute(
		edgeId: string,
		routeId: string,
		document: RouteDocument,
		precondition: Precondition,
	): Promise<WriteResult<RouteDocument>> {
		return this.#write((transaction) =>
			writes.putRoute(transaction, edgeId, routeId, document, precondition),
		);
	}

	deleteRoute(
		edgeId: string,
		routeId: string,
		precondition: Precondition,
	): Promise<WriteResult<RouteDocument>> {
		return this.#write((transaction) =>
			writes.deleteRoute(transaction, edgeId, routeId, precondition),
		);
	}

	putIpList(
		id: string,
		document: IpListDocument,
		precondition: Precondition,
	): Promise<WriteResult<IpListRecord>> {
		return this.#write((transaction) => putIpList(transaction, id, document, precondition));
	}

	changeIpList(
		id: string,
		change: IpListChange,
		precondition: Precondition,
	): Promise<WriteResult<IpListRecord>> {
		return this.#write((transaction) => changeIpList(transaction, id, change, precondition));
	}

	deleteIpList(id: string, precondition: Precondition): Promise<WriteResult<IpListRecord>> {
		return this.#write((transaction) => deleteIpList(transaction, id, precondition));
	}

	addKey(key: StoredKey): Promise<void> {
		return this.#write((transaction) => addKey(transaction, key));
	}

	revokeKey(id: string): Promise<boolean> {
		return this.#write((transaction) => revokeKey(transaction, id));
	}

	transact(operations: readonly Operation[]): Promise<TransactionResult> {
		return this.#write((transaction, origin) =>
			transact(transaction, operations, this.#keeping(origin)),
		);
	}

	#keeping(origin: WriteOrigin): Keeping {
		return { origin, kept: this.#versionsKept() };
	}

	#write<T>(operation: (transaction: Writes, origin: WriteOrigin) => T): Promise<T> {
		const origin = this.#origin();
		return this.queue.write((transaction) => operation(transaction, origin), origin);
	}
}
