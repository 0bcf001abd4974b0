/** A rate-limit keyed on what any client can change (contract 3). One of the lints of `actions.ts`. */

import type { ActionDocument } from "../../document/schema.ts";
import type { Finding } from "../../lint/finding.ts";
import { parseKeyElement } from "./bucket-key.ts";

export function clientControlledKeys(action: ActionDocument): readonly Finding[] {
	if (action.type !== "rate-limit") return [];
	return (action.config.bucket_key ?? []).flatMap((text, index) => {
		const element = parseKeyElement(text);
		// `host` chooses the route, so a client can't change it freely
		if (!element.ok || element.value.kind !== "header" || element.value.name === "host") return [];
		const message = `any client can change the header "${element.value.name}" and get a bucket of its own; write conn.client_ip, or deny other values of the header before`;
		return [{ path: ["bucket_key", index], code: "client_controlled_key", message }];
	});
}
