/**
 * The error for a request whose client left before its handler ran, so that nobody can tell its address. Thrown
 * where the address is asked for. No rule can decide without an address and nothing is forwarded, so the request
 * ends (`breakOff` in `response/end-request.ts`).
 */
export const CLIENT_GONE = new Error("the client has gone before its request ran");
