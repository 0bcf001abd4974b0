/**
 * Where a worker process begins, forked by `worker-handle.ts`: its signals first, because everything else
 * takes a while to load, and a signal that nobody hears ends the process or starts a debugger in it.
 */
import { WorkerSignals } from "../signals/worker-signals.ts";

const signals = new WorkerSignals();
const { work } = await import("./worker.ts");
work(signals);
