/**
 * The audit line of a request that asks for a change (contract 2, "Audit"): who asked for what, from where, and what
 * came of it. Pure; called by `server.ts` once for each such request, in the turn in which the answer is sent.
 */
import type { ErrorCode } from "../../error-code-origins.ts";
import { LIMITS } from "../../limits/limits.ts";
import { isAskingPath } from "../http/public-paths.ts";
import type { ApiRequest } from "../http/request.ts";
import type { Subject } from "../http/router.ts";
import type { AnyDocument, AuditNotes } from "./notes.ts";
import { ruleChanges } from "./rule-changes.ts";
import { elapsedMs, shown } from "./shown.ts";

/** Methods that change nothing (RFC 9110 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

export const asksForChange = ({ method, path }: Pick<ApiRequest, "method" | "path">): boolean =>
	!SAFE.has(method) && !isAskingPath(path);

export interface Ended {
	/** undefined: the client left before its request was whole, so nothing was done */
	readonly status: number | undefined;
	readonly code: ErrorCode | undefined;
	/** the client is gone and won't get the answer */
	readonly clientGone: boolean;
}

/** Fields in the order of the line; one that is undefined is left out. */
export function auditLine(request: ApiRequest, subject: Subject, ended: Ended): object {
	const { peer, written, done, steps, beganMs, expiredKey } = request.notes;
	const key = request.identity ?? expiredKey;
	const { edgeId, routeId, listId, limit, memberId } = subject;
	const operation = request.notes.operation ?? subject.operation;
	const isPlain = operation !== undefined && subject.hasIds;
	const { before, after } = versionsOf(written);
	const { also_deleted, enabled, rules } = changesOf(written);
	// Not spread: what follows a spread takes ten times as long to make.
	return {
		via: "api",
		key_id: key?.id,
		key_name: key && shown(key.name, LIMITS.auditNameCharacters),
		operation,
		method: isPlain ? undefined : text(request.method) || undefined,
		path: isPlain ? undefined : text(request.path) || undefined,
		edge: edgeId,
		route: routeId,
		ip_list: listId,
		rate_limit: limit,
		member: memberId,
		revision: request.fleet.revision,
		operations: steps.length === 0 ? undefined : steps.length,
		before,
		after,
		also_deleted,
		enabled,
		rules,
		result: resultOf(ended, written, done),
		status: ended.status,
		error_code: ended.code,
		request_id: `req_${request.id}`,
		client_ip: peer?.address,
		client_port: peer?.port,
		client_gone: ended.clientGone || undefined,
		duration_ms: elapsedMs(beganMs),
	};
}

/** Of each operation of a transaction that changed something, a line as the operation alone would have left. */
export const stepLines = (request: ApiRequest): readonly object[] =>
	request.notes.steps.flatMap(({ operation, step }, index) => {
		const { kind } = operation;
		if (step.deleted === undefined && step.before?.etag === step.stored.etag) return [];
		const { identity, notes, id } = request;
		const { before, after } = versionsOf(step);
		const { also_deleted, enabled, rules } = changesOf(step);
		const line = {
			via: "api",
			key_id: identity?.id,
			key_name: identity && shown(identity.name, LIMITS.auditNameCharacters),
			operation: kind,
			transaction: index,
			edge: "edgeId" in operation ? operation.edgeId : undefined,
			route: "routeId" in operation ? operation.routeId : undefined,
			ip_list: "listId" in operation ? operation.listId : undefined,
			before,
			after,
			also_deleted,
			enabled,
			rules,
			result: resultOf({ status: 200 }, step, undefined),
			request_id: `req_${id}`,
			client_ip: notes.peer?.address,
			client_port: notes.peer?.port,
		};
		return [line];
	});

const text = (value: string): string => shown(value, LIMITS.auditPathCharacters);

type Written = AuditNotes["written"];

interface Versions {
	readonly before?: string | null;
	readonly after?: string | null;
}

/** etags; null is no document. Nothing was committed where `after` is missing. */
function versionsOf(written: Written): Versions {
	if (written === undefined || ("refused" in written && written.refused === "edge_not_found"))
		return {};
	if ("refused" in written) return { before: written.before ?? null };
	const { before, stored, deleted } = written;
	return { before: before?.etag ?? null, after: deleted === undefined ? stored.etag : null };
}

interface Changes {
	readonly also_deleted?: object;
	readonly enabled?: boolean | undefined;
	readonly rules?: object | undefined;
}

/** What is worth telling of the documents themselves. */
function changesOf(written: Written): Changes {
	if (written === undefined || "refused" in written) return {};
	const { before, stored, deleted } = written;
	if (deleted !== undefined) {
		const { routes, policies } = deleted;
		return routes + policies === 0 ? {} : { also_deleted: deleted };
	}
	const [old, now] = [before?.document, stored.document];
	if (before?.etag === stored.etag || !isPolicy(now)) return {};
	const was = old !== undefined && isPolicy(old) ? old : undefined;
	const enabled = now.enabled === (was?.enabled ?? true) ? undefined : now.enabled;
	return { enabled, rules: ruleChanges(was, now) };
}

const isPolicy = (document: AnyDocument) => "inbound" in document;

function resultOf(
	{ status }: Pick<Ended, "status">,
	written: Written,
	done: AuditNotes["done"],
): string {
	if (status === undefined) return "abandoned";
	if (status >= 500) return "failed";
	if (done !== undefined) return done;
	if (status >= 400 || written === undefined || "refused" in written) return "refused";
	if (written.deleted !== undefined) return "deleted";
	if (written.created || written.before === undefined) return "created";
	return written.before.etag === written.stored.etag ? "unchanged" : "changed";
}
