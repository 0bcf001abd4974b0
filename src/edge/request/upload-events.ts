/** What `client-body.ts` tells `proxying/upstream-request.ts`, whose request the body is. */
import type { Expecting } from "../../upstream/upstream.ts";
import type { Direction, SlowReason } from "../slow/slow-clients.ts";

export interface UploadEvents {
	/** The request may be sent. @param expects the backend is to ask for the body */
	ready(expects?: Expecting): void;
	/** What came is no body: its end will never be known. */
	malformed(): void;
	/** The client was waited for long enough. */
	tooSlow(direction: Direction, reason: SlowReason): void;
}
