/** A worker for tests that fails on its first message. */
import { parentPort } from 'node:worker_threads';

parentPort!.once('message', () => {
  throw new Error('this worker always fails');
});
