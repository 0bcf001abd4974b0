/** Shapes of versions of policies: as they are stored, as they are told. Used by all of the store, and by who presents them. */
import type { WriteOrigin } from "./write-queue.ts";

/** Who changes a policy, and how much of what was before is kept. */
export interface Keeping {
	readonly origin: Pick<WriteOrigin, "at" | "key" | "keyName" | "requestId">;
	/** versions of one policy; 0: none is written, and those that there are stay */
	readonly kept: number;
	/** the version that the policy is set back to */
	readonly rolledBackTo?: number | undefined;
}

/** As it is stored. */
export interface VersionRecord {
	/** of the policy: its digest, without quotes */
	readonly mark: string;
	/** characters of the policy's JSON */
	readonly size: number;
	/** RFC 3339, UTC, with milliseconds; absent: it was stored before versions were kept */
	readonly at?: string;
	readonly key?: string;
	readonly keyName?: string;
	readonly requestId?: string;
	readonly rolledBackTo?: number;
	/** the policy's JSON: deflate, base64 */
	readonly text: string;
}

/** What is told of a version. */
export interface PolicyVersion extends Omit<VersionRecord, "mark" | "text"> {
	readonly number: number;
	/** of the policy, as it was and would be again */
	readonly etag: string;
}

/** Numbers of the versions that there are; all between are there. */
export interface KeptVersions {
	readonly oldest: number;
	readonly newest: number;
}
