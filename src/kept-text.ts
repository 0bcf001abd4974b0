/**
 * Text that is kept for longer than what it was a part of: V8 has a part of a string keep the whole alive, and the whole may
 * be a request's header. Used by `edge/request/authorities.ts` and `edge/geo.ts`.
 */
export const keptText = (text: string): string => Buffer.from(text).toString();
