import type { JsonObject } from '@flotilla/kube';
import type { Kind, ModelOf } from './operation.ts';

/** Finds schemas by the group, version and kind that they declare. */
export function modelFinder(schemas: Readonly<Record<string, JsonObject>>): ModelOf {
  const models = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas)) {
    const kinds = (schema['x-kubernetes-group-version-kind'] ?? []) as unknown as Kind[];
    for (const kind of kinds) models.set(keyOf(kind), name);
  }
  return (gvk) => models.get(keyOf(gvk));
}

function keyOf({ group, version, kind }: Kind): string {
  return `${group}/${version}/${kind}`;
}
