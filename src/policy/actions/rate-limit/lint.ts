/** A rate-limit keyed on what any client can change (contract 3). In the list of lints of `rate-limit.ts`. */
import type { ActionLint, Remark } from "../action.ts";
import { parseKeyForm } from "./bucket-key.ts";

interface Keyed {
	readonly bucket_key?: readonly string[] | undefined;
}

const changes = (header: string): string =>
	`any client can change ${header} and get a bucket of its own; write conn.client_ip, or deny other values of it before`;

export const clientControlledKey: ActionLint<Keyed> = {
	code: "client_controlled_key",
	finds:
		"A rate-limit's key holds a header that any client can change, and with it gets a bucket of its own.",
	remedy: "Use `conn.client_ip`, or deny other values of the header in a rule before.",
	inspect({ bucket_key = [] }): readonly Remark[] {
		return bucket_key.flatMap((text, index) => {
			const element = parseKeyForm(text);
			// `host` chooses the route, so a client can't change it freely
			if (!element.ok || element.value.kind !== "header" || element.value.name === "host")
				return [];
			return [
				{ path: ["bucket_key", index], message: changes(`the header "${element.value.name}"`) },
			];
		});
	},
	inspectCarried: (path, header) =>
		path[0] === "bucket_key" ? [{ path, message: changes(header) }] : [],
};
