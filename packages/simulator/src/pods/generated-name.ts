import { createHash } from 'node:crypto';
import { generateName, type KubeObject } from '@flotilla/kube';

/**
 * The name of the object that an owner creates as its `ordinal`th in its present state: the prefix and five characters, as of
 * `generateName`. They follow from owner and ordinal, so that a repeated create fails instead of making a second object.
 */
export function generatedName(prefix: string, { metadata }: Readonly<KubeObject>, ordinal: number): string {
  const { uid = '', resourceVersion = '' } = metadata;
  const digest = createHash('sha1').update(`${uid}/${resourceVersion}/${ordinal}`).digest();
  let position = 0;
  return generateName(prefix, () => digest.readUInt16BE(2 * position++) / 65_536);
}
