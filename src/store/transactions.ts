/**
 * Several writes as one (contract 2, "Transactions"): all of them, in their order, or none. Each sees what those before
 * it have written. Where one is refused, the others are tried all the same, so that everything that stands in the way is
 * told at once, and then what they wrote is taken back. Called by `writer.ts`, inside a transaction of the store that
 * other writes may share.
 */
import type { PolicyDocument } from "../policy/document/schema.ts";
import { deleteIpList, putIpList } from "./ip-list-writes.ts";
import type { IpListDocument, IpListRecord } from "./ip-lists.ts";
import type { KeyRange, Writes } from "./lmdb/database.ts";
import type { EdgeDocument, RouteDocument } from "./resources.ts";
import type { Precondition, Store, StoreWrites, WriteRefusal, WriteResult } from "./store.ts";
import type { Keeping } from "./version-shapes.ts";
import type { WriteOrigin } from "./write-queue.ts";
import * as writes from "./writes.ts";

interface Conditional {
	readonly precondition: Precondition;
}
interface OfEdge extends Conditional {
	readonly edgeId: string;
}
interface OfRoute extends OfEdge {
	readonly routeId: string;
}
interface OfList extends Conditional {
	readonly listId: string;
}

/** Documents as they are given to the single writes. */
export type Operation =
	| (OfEdge & { readonly kind: "putEdge"; readonly document: EdgeDocument })
	| (OfEdge & { readonly kind: "deleteEdge" })
	| (OfRoute & { readonly kind: "putRoute"; readonly document: RouteDocument })
	| (OfRoute & { readonly kind: "deleteRoute" })
	| (OfRoute & { readonly kind: "putPolicy"; readonly document: PolicyDocument })
	| (OfRoute & { readonly kind: "deletePolicy" })
	| (OfList & { readonly kind: "putIpList"; readonly document: IpListDocument })
	| (OfList & { readonly kind: "deleteIpList" });

type AnyResult = WriteResult<EdgeDocument | RouteDocument | PolicyDocument | IpListRecord>;
export type Step = Exclude<AnyResult, WriteRefusal>;

export type TransactionResult =
	/** one for each operation, in their order */
	| { readonly steps: readonly Step[] }
	| { readonly refusals: readonly { readonly index: number; readonly refusal: WriteRefusal }[] };

/** What a store does besides single writes. */
interface Transactions {
	/** Answers when all of it is on disk, or nothing was changed. */
	transact(operations: readonly Operation[]): Promise<TransactionResult>;
}

export type TransactionalWrites = StoreWrites & Transactions;

export interface TransactionalStore extends Store, Transactions {
	by(origin: WriteOrigin): TransactionalWrites;
}

/** @param keeping of policies, versions */
export function transact(
	outer: Writes,
	operations: readonly Operation[],
	keeping?: Keeping,
): TransactionResult {
	const transaction = new UndoableWrites(outer);
	const steps: Step[] = [];
	const refusals: { index: number; refusal: WriteRefusal }[] = [];
	for (const [index, operation] of operations.entries()) {
		const result = run(transaction, operation, keeping);
		if ("refused" in result) refusals.push({ index, refusal: result });
		else steps.push(result);
	}
	if (refusals.length === 0) return { steps };
	transaction.undo();
	return { refusals };
}

function run(transaction: Writes, operation: Operation, keeping: Keeping | undefined): AnyResult {
	const { precondition } = operation;
	switch (operation.kind) {
		case "putEdge":
			return writes.putEdge(transaction, operation.edgeId, operation.document, precondition);
		case "deleteEdge":
			return writes.deleteEdge(transaction, operation.edgeId, precondition);
		case "putIpList":
			return putIpList(transaction, operation.listId, operation.document, precondition);
		case "deleteIpList":
			return deleteIpList(transaction, operation.listId, precondition);
		default:
			return runOfRoute(transaction, operation, keeping);
	}
}

function runOfRoute(
	transaction: Writes,
	operation: Extract<Operation, { readonly routeId: string }>,
	keeping: Keeping | undefined,
): AnyResult {
	const { edgeId, routeId, precondition } = operation;
	switch (operation.kind) {
		case "putRoute":
			return writes.putRoute(transaction, edgeId, routeId, operation.document, precondition);
		case "deleteRoute":
			return writes.deleteRoute(transaction, edgeId, routeId, precondition);
		case "putPolicy":
			return writes.putPolicy(
				transaction,
				edgeId,
				routeId,
				operation.document,
				precondition,
				keeping,
			);
		case "deletePolicy":
			return writes.deletePolicy(transaction, edgeId, routeId, precondition);
	}
}

/** Knows what was there before, so that the writes of others in the same transaction stay. */
class UndoableWrites implements Writes {
	readonly get: Writes["get"];
	readonly range: Writes["range"];
	readonly keys: Writes["keys"];
	readonly count: Writes["count"];
	readonly #outer: Writes;
	/** undefined: there was nothing */
	readonly #before = new Map<string, string | undefined>();

	constructor(outer: Writes) {
		this.#outer = outer;
		this.get = (key) => outer.get(key);
		this.range = (range) => outer.range(range);
		this.keys = (range) => outer.keys(range);
		this.count = (range) => outer.count(range);
	}

	put(key: string, value: string): void {
		this.#remember(key);
		this.#outer.put(key, value);
	}

	remove(key: string): void {
		this.#remember(key);
		this.#outer.remove(key);
	}

	clear(range: KeyRange): number {
		const keys = Array.from(this.keys(range));
		for (const key of keys) this.#remember(key);
		return this.#outer.clear(range);
	}

	undo(): void {
		for (const [key, value] of this.#before) {
			if (value === undefined) this.#outer.remove(key);
			else this.#outer.put(key, value);
		}
	}

	#remember(key: string): void {
		if (!this.#before.has(key)) this.#before.set(key, this.#outer.get(key));
	}
}
