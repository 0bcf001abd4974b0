/**
 * A text of its own: V8 keeps the whole of a text as long as there is a part of it, and the parts that it was put together
 * from. Used where a part of a request, or of what is stored, is kept for longer than that.
 */
export const ownCopy = (text: string): string => Buffer.from(text).toString();
