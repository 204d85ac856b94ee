/** The entry point of a thread with embedded members. */
import { workerData } from 'node:worker_threads';
import type { MemberThreadStart } from './member-functions.ts';
import { runMemberThread } from './run-member-thread.ts';

runMemberThread(workerData as MemberThreadStart);
