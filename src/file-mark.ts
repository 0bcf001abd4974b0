/**
 * Tells whether a file is still the one that was read: which file a name leads to, how long it is and when it was
 * written. Used by `edge/geo.ts` and `edge/routing/backends.ts`, whose files a reload looks at again.
 */
import { statSync } from "node:fs";

/** Never throws: of a file that can't be looked at, one mark is like another. */
export function fileMark(path: string): string {
	try {
		const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
		return [dev, ino, size, mtimeNs].join(":");
	} catch (error) {
		return String((error as NodeJS.ErrnoException).code);
	}
}
