import { readFileSync } from 'node:fs';
import { parseJson } from '@flotilla/kube';

/** What KubeFleet's own code answered to objects of ours; numbers are read as they were written. */
export function recorded<T>(file: string, base: string): readonly T[] {
  return parseJson(readFileSync(new URL(`recorded/${file}`, base), 'utf8')).value as unknown as readonly T[];
}
