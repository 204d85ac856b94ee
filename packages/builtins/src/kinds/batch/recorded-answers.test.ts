import { replayRecordings } from '../core-pods/recorded-answers.ts';
import { batchKinds } from './list.ts';

replayRecordings(new URL('recorded/', import.meta.url), batchKinds);
