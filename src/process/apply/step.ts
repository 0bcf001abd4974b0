/** One change of one resource, as plans have them. Made by `plan.ts`. */
import type { Resource, StoredResource } from "./resources.ts";

type Document = Resource["document"];

export interface Step extends Pick<Resource, "kind" | "name"> {
	readonly action: "create" | "change" | "delete";
	/** as stored; undefined: it is created */
	readonly before: Document | undefined;
	/** undefined: it is deleted */
	readonly after: Document | undefined;
	/** of `before`, where it is known */
	readonly etag: string | undefined;
	/** of an edge or route that is deleted: what goes with it */
	readonly takesAlong: readonly string[];
}

export function stepOf(
	action: Step["action"],
	{ kind, name }: Pick<Resource, "kind" | "name">,
	current: StoredResource | undefined,
	after: Document | undefined,
	takesAlong: readonly string[] = [],
): Step {
	const [before, etag] = [current?.document, current?.etag];
	return { action, kind, name, before, after, etag, takesAlong };
}
