import type { JsonObject } from '@flotilla/kube';
import type { ModelOf } from './operations.ts';

/** Schemas say of which kinds they are; this finds them by that. */
export function modelFinder(schemas: Readonly<Record<string, JsonObject>>): ModelOf {
  const models = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as Parameters<ModelOf>[0][];
    for (const kind of kinds) models.set(keyOf(kind), name);
  }
  return (gvk) => models.get(keyOf(gvk));
}

function keyOf({ group, version, kind }: Parameters<ModelOf>[0]): string {
  return `${group}/${version}/${kind}`;
}
