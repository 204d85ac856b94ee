import type { KindBehavior } from '../../kind.ts';
import { cronJobKind } from './cron-job.ts';
import { jobKind } from './job.ts';

export const batchKinds: readonly KindBehavior[] = [cronJobKind, jobKind];
