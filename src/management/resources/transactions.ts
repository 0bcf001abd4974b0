/**
 * `POST /transactions` (contract 2): several PUTs and DELETEs of edges, routes, policies and address lists as one change,
 * on disk together or not at all, and in force on every worker when it is answered.
 */
import { ApiError, type Problem } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import type { WriteRefusal } from "../../store/store.ts";
import type { Operation, Step } from "../../store/transactions.ts";
import type { Transacted } from "../answers.ts";
import {
	type Context,
	edgeNotFound,
	ipListNotFound,
	policyNotFound,
	refusalError,
	routeNotFound,
} from "../context.ts";
import { originOf } from "../fleet/write-origin.ts";
import { json } from "../http/reply.ts";
import type { Methods } from "../http/router.ts";
import { documentIn } from "./documents.ts";
import { asSubmitted, noRoute } from "./policies.ts";
import {
	bounded,
	type CheckedOperation,
	checkedOperations,
	transactionSchema,
} from "./transaction-body.ts";

export const TRANSACTIONS_PATH = "/transactions";

export const transactionMethods = (context: Context): Methods => ({
	POST: {
		operation: "runTransaction",
		role: "admin",
		takesBody: true,
		bodyBytes: LIMITS.transactionBytes,
		async run(request, _ids, body) {
			const { store, publisher } = context;
			const { operations } = documentIn(body, transactionSchema, {}, "transaction");
			const checked = await checkedOperations(operations, context);
			const result = await store
				.by(originOf(request))
				.transact(checked.map(({ operation }) => operation));
			if ("refusals" in result) throw refusedTransaction(result.refusals, checked);
			const { steps } = result;
			const { notes } = request;
			notes.steps = steps.flatMap((step, index) => {
				const operation = checked[index]?.operation;
				return operation === undefined ? [] : [{ operation, step }];
			});
			notes.done = steps.every((step) => outcomeOf(step) === "unchanged") ? "unchanged" : "changed";
			await publisher.publish(steps.flatMap(({ changes }) => changes));
			store.assertKept();
			store.refresh();
			const mayMoveRoutes = checked.some(({ operation: { kind } }) => kind in OF_ROUTES);
			const answer: Transacted = {
				operations: checked.map((each, index) =>
					told(each, steps[index], mayMoveRoutes ? context : undefined),
				),
			};
			return json(200, answer);
		},
	},
});

/** Operations that make routes, or delete some. */
const OF_ROUTES: Readonly<Partial<Record<Operation["kind"], true>>> = {
	putRoute: true,
	deleteRoute: true,
	deleteEdge: true,
};

/** @param moved undefined: the transaction leaves routes as they are */
function told(
	{ path, operation, warnings }: CheckedOperation,
	step: Step | undefined,
	moved: Pick<Context, "store"> | undefined,
): Transacted["operations"][number] {
	const result = outcomeOf(step);
	const etag = result === "deleted" ? null : (step?.stored.etag ?? null);
	if (operation.kind !== "putPolicy") return { path, result, etag, warnings: plain(warnings) };
	// The route may have been made by a later operation, or deleted by one.
	const { edgeId, routeId } = operation;
	const hasRoute =
		moved === undefined ? step?.hasRoute : moved.store.route(edgeId, routeId) !== undefined;
	const all = hasRoute === true ? warnings : [noRoute(edgeId, routeId), ...warnings];
	return { path, result, etag, warnings: plain(all) };
}

const plain = (warnings: readonly Problem[]) =>
	warnings.map(({ pointer, code, message }) => ({ pointer, code, message }));

function outcomeOf(step: Step | undefined): Transacted["operations"][number]["result"] {
	if (step === undefined || step.deleted !== undefined) return "deleted";
	if (step.created) return "created";
	return step.before?.etag === step.stored.etag ? "unchanged" : "changed";
}

function refusedTransaction(
	refusals: readonly { readonly index: number; readonly refusal: WriteRefusal }[],
	checked: readonly CheckedOperation[],
): ApiError {
	const problems = refusals.flatMap(({ index, refusal }) =>
		problemsOf(refusal, checked[index], `/operations/${index}`),
	);
	const count = refusals.length === 1 ? "1 operation" : `${refusals.length} operations`;
	return new ApiError(
		"ERR_TRANSACTION_REFUSED",
		`The transaction has ${count} that can't be done; nothing was stored.`,
		bounded(problems),
	);
}

function problemsOf(
	refusal: WriteRefusal,
	operation: CheckedOperation | undefined,
	at: string,
): readonly Problem[] {
	const missing = NOT_FOUND[operation?.operation.kind ?? ""] ?? edgeNotFound;
	const error = refusalError(asSubmitted(refusal, operation?.addressLists ?? []), missing);
	// of address lists that there are not, the places are known
	if (error.problems.length > 0) return error.problems;
	return [{ pointer: at, code: error.code, message: error.message }];
}

const NOT_FOUND: Readonly<Record<string, () => ApiError>> = {
	deleteEdge: edgeNotFound,
	deleteRoute: routeNotFound,
	deletePolicy: policyNotFound,
	deleteIpList: ipListNotFound,
};
