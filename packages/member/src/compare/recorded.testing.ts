import { readFileSync } from 'node:fs';
import { parseJson, type JsonValue } from '@flotilla/kube';

/** Answers that KubeFleet's code gave to our objects. Numbers keep their spelling. */
export function recorded(file: URL): JsonValue {
  return parseJson(readFileSync(file, 'utf8')).value;
}
