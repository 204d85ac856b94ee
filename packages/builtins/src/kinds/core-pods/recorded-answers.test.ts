import { corePodKinds } from './list.ts';
import { replayRecordings } from './recorded-answers.ts';

replayRecordings(new URL('recorded/', import.meta.url), corePodKinds);
