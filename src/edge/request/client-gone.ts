/**
 * Thrown where a request's address is asked for and its connection is gone already, though what it brought is
 * still being read. No rule may decide about nobody, and nothing is forwarded for nobody: the request ends
 * (`breakOff` in `answering.ts`).
 */
export const CLIENT_GONE = new Error("the client has gone before its request ran");
