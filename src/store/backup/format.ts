/**
 * What a backup is (contract 1, `backup`): text, so that two can be compared, a line each, in UTF-8.
 *
 * ```
 * weir-backup 1 {"layout":1,"weir":"0.1.0","created":"2026-01-31T12:00:00.000Z"}
 * e/site⇥DIGEST{"hostports":["example.com"],"description":"","metadata":""}
 * …
 * end {"entries":4,"sha256":"…"}
 * ```
 * Between the first line and the last one stands every entry of the store (`../layout.ts`) but `!layout`, `!owner` and
 * what is there for a fleet alone, key, tab and value, in the order of keys. Values are as they are stored and nothing here knows their fields, so a
 * document that gets another field needs no other format. The last line has the digest of all bytes before it.
 *
 * The number behind the name is that of this form. Who changes the form takes the next number, and goes on reading all
 * that were before; the same holds for the store's layout, from whose older numbers `restore.ts` has to convert then.
 * `test/store/backup/` has a file of each.
 *
 * Used by `write-backup.ts` and `read-backup.ts`.
 */
import { z } from "zod";
import { LAYOUT, LOCAL_KEYS, OWNER_KEY, PRIMARY_PREFIXES } from "../layout.ts";
import { isMembership } from "../membership.ts";

const FORMAT = 1;

const NAME = "weir-backup";
const END = "end ";

const number = z.int().min(0);

const header = z.object({ layout: number, weir: z.string(), created: z.string() });
export type BackupHeader = z.infer<typeof header>;

const trailer = z.object({ entries: number, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
export type BackupTrailer = z.infer<typeof trailer>;

/** How many documents of each kind. */
export interface BackupCounts {
	readonly edges: number;
	readonly routes: number;
	readonly policies: number;
	readonly keys: number;
	/** address lists */
	readonly lists: number;
}

export const NO_COUNTS: BackupCounts = { edges: 0, routes: 0, policies: 0, keys: 0, lists: 0 };

const KINDS: Readonly<Record<string, keyof BackupCounts>> = {
	"e/": "edges",
	"r/": "routes",
	"p/": "policies",
	"k/": "keys",
	"l/": "lists",
};

/** Of an entry whose value begins with its digest. */
export const hasDigest = (key: string): boolean => PRIMARY_PREFIXES.includes(key.slice(0, 2));

/** Of an entry that holds a document; undefined for what the store keeps besides them. */
export const kindOf = (key: string): keyof BackupCounts | undefined => KINDS[key.slice(0, 2)];

const LAYOUT_KEY = "!layout";

/** Whether an entry of this key stands in backups, and is replaced by a restore. */
export const isKept = (key: string): boolean =>
	key !== OWNER_KEY && key !== LAYOUT_KEY && !key.startsWith(LOCAL_KEYS) && !isMembership(key);

/** Keys that this layout has; one character, then names and separators of `../layout.ts`. */
export const isKnownKey = (key: string): boolean =>
	/^(?:[cehklmnpruvx]\/[!-~]+|!version|!keys)$/.test(key);

/** @param about with the layout of the store that is saved */
export const headerLine = ({ layout, ...about }: BackupHeader): string =>
	`${NAME} ${FORMAT} ${JSON.stringify({ layout, ...about })}\n`;

export const entryLine = (key: string, value: string): string => `${key}\t${value}\n`;

export const trailerLine = (about: BackupTrailer): string => `${END}${JSON.stringify(about)}\n`;

/** Whether a file that begins so was meant to be a backup. */
export const beginsLikeBackup = (text: string): boolean => text.startsWith(`${NAME} `);

/** @returns what the first line says, or a sentence about the file, which goes behind its name */
export function parseHeader(line: string): BackupHeader | string {
	const [, format, json] = /^weir-backup ([0-9]{1,9}) (\{.*\})$/.exec(line) ?? [];
	if (format === undefined || json === undefined) {
		return "is no backup of weir; weir backup FILE makes one";
	}
	const read = header.safeParse(parsed(json));
	const by = read.success ? `weir ${read.data.weir}` : "another version of weir";
	if (Number(format) > FORMAT) {
		return `has format ${format} and was made by ${by}; this version reads formats up to ${FORMAT}: restore it with that version or a later one`;
	}
	if (Number(format) < 1 || !read.success) return "is damaged: its first line makes no sense";
	if (read.data.layout >= 1 && read.data.layout <= LAYOUT) return read.data;
	return `holds a store of layout ${read.data.layout} and was made by ${by}; this version knows layouts up to ${LAYOUT} only: restore it with that version or a later one`;
}

/** @returns undefined: it is no last line */
export function parseTrailer(line: string): BackupTrailer | undefined {
	if (!line.startsWith(END)) return undefined;
	const read = trailer.safeParse(parsed(line.slice(END.length)));
	return read.success ? read.data : undefined;
}

function parsed(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}
