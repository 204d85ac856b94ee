import { stringifyJson } from '@flotilla/kube';
import type { PodTemplate } from '../kinds.ts';

/** Letters that make no words, as Kubernetes writes its hashes. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Under which name Kubernetes would keep this state of a workload. The same template has the same name. */
export function revisionName(name: string, template: PodTemplate | undefined): string {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(stringifyJson(template ?? {}))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  const text = Array.from(String(hash), (digit) => letters[Number(digit)] ?? '').join('');
  return `${name}-${text}`;
}
