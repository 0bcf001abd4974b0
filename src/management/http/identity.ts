/** Who sent a request of the API: the key that it carries, without what would be secret. Found out by `auth.ts`. */
import type { KeyRole } from "../../store/key-roles.ts";

export interface Identity {
	/** `key_…`, or `configured` for the key in the environment variable `WEIR_API_KEY` */
	readonly id: string;
	readonly name: string;
	readonly role: KeyRole;
}
