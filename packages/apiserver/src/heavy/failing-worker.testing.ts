/** For tests: a worker that ends with an error as soon as it gets something to do. */
import { parentPort } from 'node:worker_threads';

parentPort!.once('message', () => {
  throw new Error('this worker always fails');
});
