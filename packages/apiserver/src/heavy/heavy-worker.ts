/** The program of the thread that runs heavy requests, for servers without admission steps of their own. */
import { runHeavyWorker } from './run-heavy-worker.ts';

runHeavyWorker();
