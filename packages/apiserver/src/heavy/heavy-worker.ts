/** The program of the thread that runs heavy requests, for servers without admission plugins of their own. */
import { runHeavyWorker } from './run-heavy-worker.ts';

runHeavyWorker();
