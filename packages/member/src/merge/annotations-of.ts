import { isJsonObject, type KubeObject, type ObjectMeta } from '@flotilla/kube';

/** The annotations, with null as an empty string. Undefined if there are none, or if one is not a string. */
export function annotationsOf(metadata: ObjectMeta): Record<string, string> | undefined {
  const { annotations } = metadata;
  if (!isJsonObject(annotations)) return undefined;
  const entries: [string, unknown][] = Object.entries(annotations);
  if (entries.some(([, text]) => typeof text !== 'string' && text !== null)) return undefined;
  return Object.fromEntries(entries.map(([key, text]) => [key, (text as string | null) ?? '']));
}

export function withAnnotation(object: KubeObject, key: string, value: string): KubeObject {
  const annotations = { ...annotationsOf(object.metadata), [key]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
