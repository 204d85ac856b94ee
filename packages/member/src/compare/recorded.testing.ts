import { readFileSync } from 'node:fs';
import { parseJson, type JsonValue } from '@flotilla/kube';

/** What KubeFleet's own code answered to objects of ours; numbers are read as they were written. */
export function recorded(file: URL): JsonValue {
  return parseJson(readFileSync(file, 'utf8')).value;
}
