/** Two ends of a connection in a data folder, as two supervisors have them. */
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { until } from "../../e2e/harness.ts";
import { temporaryFolder } from "../../store/folder.ts";

export interface Ends {
	readonly folder: string;
	/** of the supervisor that runs */
	readonly served: Socket;
	/** of the one that takes over */
	readonly asking: Socket;
}

export async function conversation(): Promise<Ends> {
	const folder = temporaryFolder();
	const path = join(folder, "control.sock");
	let served: Socket | undefined;
	const server = createServer({ allowHalfOpen: true }, (socket) => {
		served = socket;
	}).listen(path);
	const asking = connect(path);
	onTestFinished(() => {
		asking.destroy();
		served?.destroy();
		server.close();
	});
	return { folder, asking, served: await until(() => served, "a connection") };
}

/** What one end hears. */
export function heard(socket: Socket): { readonly lines: unknown[] } {
	const lines: unknown[] = [];
	let text = "";
	socket.setEncoding("utf8");
	socket.on("data", (chunk: string) => {
		text += chunk;
		const parts = text.split("\n");
		text = parts.pop() ?? "";
		for (const part of parts) lines.push(JSON.parse(part));
	});
	return { lines };
}
