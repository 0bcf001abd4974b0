/** When a version of a policy was stored, and by whom, in words. Used by versions.tsx. */
import type { ListedPolicyVersion } from "../../src/management/answers.ts";

const MOMENT = new Intl.DateTimeFormat("en-GB", {
	...{ year: "numeric", month: "short", day: "numeric" },
	...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
});

/** Where the reader is: `31 Jan 2026, 12:00:00` */
export const whenOf = ({ created_at }: Pick<ListedPolicyVersion, "created_at">): string =>
	created_at === null ? "before versions were kept" : MOMENT.format(new Date(created_at));

/** The key's name, else its id. */
export const whoOf = ({
	key_id,
	key_name,
}: Pick<ListedPolicyVersion, "key_id" | "key_name">): string => key_name || key_id || "–";
