import type { PatchField, PatchSchema } from './patch-schema.ts';

function struct(name: string, fields: Record<string, PatchField>): PatchSchema {
  return { name, field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined) };
}

const plain: PatchField = { strategies: [] };
const mergedBy = (mergeKey: string, schema: PatchSchema): PatchField => ({ strategies: ['merge'], mergeKey, schema });
const envVar = struct('EnvVar', { name: plain, value: plain });
const container = struct('Container', { name: plain, image: plain, args: plain, env: mergedBy('name', envVar) });
const volume = struct('Volume', { name: plain, emptyDir: { strategies: [], schema: struct('EmptyDir', {}) } });

/** A small pod template: containers and env merge by name, args are replaced, finalizers are a set. */
export const podSpec: PatchSchema = struct('PodSpec', {
  containers: mergedBy('name', container),
  volumes: { strategies: ['merge', 'retainKeys'], mergeKey: 'name', schema: volume },
  tolerations: { strategies: [], schema: struct('Toleration', { key: plain }) },
  nodeSelector: plain,
  strategy: { strategies: ['retainKeys'], schema: struct('Strategy', { type: plain, rollingUpdate: plain }) },
  affinity: { strategies: ['replace'], schema: struct('Affinity', {}) },
  finalizers: { strategies: ['merge'] },
  table: { strategies: [], schema: { field: () => undefined } },
});
