/**
 * From the body of `POST /transactions` to operations of the store (contract 2, "Transactions"): every document is
 * checked as its own PUT checks it, and everything that is wrong is told at once, with places in the body. Called by
 * `transactions.ts`.
 */
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { ApiError, type Problem } from "../../errors.ts";
import { LIMITS } from "../../limits/limits.ts";
import { isId } from "../../store/ids.ts";
import { parseEtags } from "../../store/precondition.ts";
import { lintRoute } from "../../store/route-lint.ts";
import type { Precondition } from "../../store/store.ts";
import type { Operation } from "../../store/transactions.ts";
import type { Context } from "../context.ts";
import { edgeFrom } from "./edges.ts";
import { ipListFrom } from "./ip-lists.ts";
import { type ValidPolicy, validPolicyIn } from "./policies.ts";
import { routeFrom } from "./routes.ts";

const etags = z
	.string()
	.refine((text) => parseEtags(text) !== undefined, {
		error: "must be * or a list of etags in double quotes",
	})
	.optional();

const conditions = {
	if_match: etags.describe("As the header field `if-match` of a single request."),
	if_none_match: etags.describe("As `if-none-match`."),
};

const path = z
	.string()
	.describe(
		"Of an edge, route, policy or address list, as in a single request: `/edges/https/{edge_id}`, " +
			"`…/routes/{id}`, `…/policy`, `/ip-lists/{list_id}`.",
	);

export const transactionSchema = z.strictObject({
	operations: z
		.array(
			z.discriminatedUnion("method", [
				z.strictObject({
					method: z.literal("PUT"),
					path,
					document: z.unknown().describe("What the body of the PUT would be, as JSON."),
					...conditions,
				}),
				z.strictObject({ method: z.literal("DELETE"), path, ...conditions }),
			]),
		)
		.min(1)
		.max(LIMITS.transactionOperations)
		.describe("Done in this order, all or none."),
});

type Submitted = z.infer<typeof transactionSchema>["operations"][number];

/** An operation with what its answer needs of the document. */
export interface CheckedOperation {
	readonly path: string;
	readonly operation: Operation;
	readonly warnings: readonly Problem[];
	/** of a policy: places of lists in what was submitted */
	readonly addressLists: ValidPolicy["addressLists"];
}

type Target =
	| { readonly kind: "Edge"; readonly edgeId: string }
	| { readonly kind: "Route" | "Policy"; readonly edgeId: string; readonly routeId: string }
	| { readonly kind: "IpList"; readonly listId: string };

const PATH = /^\/(?:edges\/https\/([^/]+)(?:\/routes\/([^/]+)(\/policy)?)?|ip-lists\/([^/]+))$/;

function targetOf(text: string): Target | undefined {
	const [match, edgeId = "", routeId = "", policy, listId = ""] = PATH.exec(text) ?? [];
	if (match === undefined) return undefined;
	const ids = [edgeId, routeId, listId].filter((id) => id !== "");
	if (!ids.every(isId)) return undefined;
	if (listId !== "") return { kind: "IpList", listId };
	if (routeId === "") return { kind: "Edge", edgeId };
	return { kind: policy === undefined ? "Route" : "Policy", edgeId, routeId };
}

const conditionOf = ({ if_match, if_none_match }: Submitted): Precondition => {
	const ifMatch = if_match === undefined ? undefined : parseEtags(if_match);
	const ifNoneMatch = if_none_match === undefined ? undefined : parseEtags(if_none_match);
	return {
		...(ifMatch === undefined ? {} : { ifMatch }),
		...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
	};
};

/** @throws ApiError with the problems of all documents: 400; 422 if tests of policies are all that fails; 503 */
export async function checkedOperations(
	submitted: readonly Submitted[],
	context: Context,
): Promise<readonly CheckedOperation[]> {
	const checked: CheckedOperation[] = [];
	const problems: Problem[] = [];
	let onlyTests = true;
	let beganMs = performance.now();
	for (const [index, each] of submitted.entries()) {
		if (performance.now() - beganMs >= LIMITS.transactionSliceMs) {
			await setImmediate();
			beganMs = performance.now();
		}
		const at = `/operations/${index}`;
		try {
			checked.push(await checkedOperation(each, at, context));
		} catch (error) {
			if (!(error instanceof ApiError) || !JUDGEMENTS.includes(error.code)) throw error;
			onlyTests &&= error.code === "ERR_TESTS_FAILED";
			problems.push(...error.problems);
		}
	}
	if (problems.length === 0) return checked;
	const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
	throw onlyTests
		? new ApiError(
				"ERR_TESTS_FAILED",
				"Policies of the transaction do not do what their tests say. Nothing was stored.",
				bounded(problems),
			)
		: new ApiError(
				"ERR_INVALID_DOCUMENT",
				`The transaction has ${count}. Nothing was stored.`,
				bounded(problems),
			);
}

const JUDGEMENTS: readonly string[] = [
	"ERR_INVALID_DOCUMENT",
	"ERR_INVALID_JSON",
	"ERR_TESTS_FAILED",
];

/** As the problems of one document are. */
export function bounded(problems: readonly Problem[]): readonly Problem[] {
	const most = LIMITS.problemsPerDocument;
	if (problems.length <= most) return problems;
	const message = `and ${problems.length - most + 1} more problems`;
	return [...problems.slice(0, most - 1), { pointer: "", code: "more_problems", message }];
}

const refused = (pointer: string, code: string, message: string): ApiError =>
	new ApiError("ERR_INVALID_DOCUMENT", message, [{ pointer, code, message }]);

async function checkedOperation(
	submitted: Submitted,
	at: string,
	context: Context,
): Promise<CheckedOperation> {
	const target = targetOf(submitted.path);
	if (target === undefined) {
		const message =
			"is no path of an edge, route, policy or address list: /edges/https/{edge_id}, /edges/https/{edge_id}/routes/{id}, …/policy, /ip-lists/{list_id}";
		throw refused(`${at}/path`, "invalid_path", message);
	}
	const plain = { path: submitted.path, warnings: [], addressLists: [] };
	const precondition = conditionOf(submitted);
	if (submitted.method === "DELETE")
		return { ...plain, operation: deletionOf(target, precondition) };
	const { document } = submitted;
	switch (target.kind) {
		case "Edge":
			return placed(`${at}/document`, () => {
				const edge = edgeFrom(document, target.edgeId);
				const { edgeId } = target;
				return { ...plain, operation: { kind: "putEdge", edgeId, document: edge, precondition } };
			});
		case "Route":
			return placed(`${at}/document`, () => {
				const route = routeFrom(document, target);
				const operation = { ...target, precondition, kind: "putRoute", document: route } as const;
				return { ...plain, operation, warnings: lintRoute(route) };
			});
		case "IpList":
			return placed(`${at}/document`, () => {
				const list = ipListFrom(document, target.listId);
				const { listId } = target;
				return { ...plain, operation: { kind: "putIpList", listId, document: list, precondition } };
			});
		case "Policy": {
			const value = document ?? null;
			const json = JSON.stringify(value);
			const bytes = Buffer.byteLength(json);
			const most = context.limits.policyBytes;
			if (bytes > most)
				throw refused(`${at}/document`, "too_big", `has ${bytes} bytes; at most ${most}`);
			const valid = await validPolicyIn({ value, json }, "json", context, `${at}/document`);
			const { warnings, addressLists } = valid;
			const { edgeId, routeId } = target;
			const ids = { kind: "putPolicy", edgeId, routeId } as const;
			const operation = { ...ids, document: valid.document, precondition };
			return { ...plain, operation, warnings, addressLists };
		}
	}
}

function deletionOf(target: Target, precondition: Precondition): Operation {
	switch (target.kind) {
		case "Edge":
			return { ...target, kind: "deleteEdge", precondition };
		case "Route":
			return { ...target, kind: "deleteRoute", precondition };
		case "Policy":
			return { ...target, kind: "deletePolicy", precondition };
		case "IpList":
			return { ...target, kind: "deleteIpList", precondition };
	}
}

/** Problems of a document get their places in the body. */
function placed<T>(at: string, check: () => T): T {
	try {
		return check();
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		const problems = error.problems.map((each) => ({ ...each, pointer: at + each.pointer }));
		throw new ApiError(error.code, error.message, problems);
	}
}
