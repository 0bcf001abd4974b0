/** What a listener tells about its connections. Made by `server.ts` for each server name, read by `exchange.ts`. */
import type { Listener } from "../config.ts";

export interface ListenerContext {
	readonly listener: Listener;
	readonly scheme: "http" | "https";
	/** as bound */
	readonly port: number;
	/** the server name that the client asked for, if a certificate is for exactly this name; else empty */
	readonly sni: string;
}
