/**
 * The first module of a worker process, forked by `worker-handle.ts`. It handles signals before it loads the rest,
 * which takes a while: a signal without a handler ends the process or starts a debugger in it.
 */
import { WorkerSignals } from "../signals/worker-signals.ts";

const signals = new WorkerSignals();
const { gatherMemory } = await import("../gathered-memory.ts");
gatherMemory();
const { work } = await import("./worker.ts");
work(signals);
