/**
 * What the audit line of a request tells besides its answer, noted while the request is worked on. Each `ApiRequest`
 * has one; `server.ts`, `context.ts` and `http/auth.ts` write it, `audit-line.ts` reads it.
 */
import type { PolicyDocument } from "../../policy/document/schema.ts";
import type { IpListRecord } from "../../store/ip-lists.ts";
import type { EdgeDocument, RouteDocument } from "../../store/resources.ts";
import type { WriteResult } from "../../store/store.ts";
import type { Operation, Step } from "../../store/transactions.ts";

export type AnyDocument = EdgeDocument | RouteDocument | PolicyDocument | IpListRecord;

/** The other end of a request's connection. */
export interface Peer {
	readonly address: string;
	/** undefined where this build of the server library doesn't tell */
	readonly port: number | undefined;
}

export class AuditNotes {
	/** by `performance.now()` */
	readonly beganMs = performance.now();
	peer: Peer | undefined;
	/** the key that the request was refused for */
	expiredKey: { readonly id: string; readonly name: string } | undefined;
	/** where the query says that another operation is meant than the path's */
	operation: string | undefined;
	/** what became of a change to something that is not in the store */
	done: "changed" | "created" | "deleted" | "unchanged" | undefined;
	/** what the store decided, if it was asked; a commit that then could not be published is still one */
	written: WriteResult<AnyDocument> | undefined;
	/** of a transaction that was committed, what each of its operations did */
	steps: readonly { readonly operation: Operation; readonly step: Step }[] = [];
}
