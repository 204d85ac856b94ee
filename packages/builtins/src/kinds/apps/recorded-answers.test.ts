import { replayRecordings } from '../core-pods/recorded-answers.ts';
import { appsKinds } from './list.ts';

replayRecordings(new URL('recorded/', import.meta.url), appsKinds);
