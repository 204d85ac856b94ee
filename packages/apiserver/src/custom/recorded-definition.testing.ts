/** The short form of definitions in recorded rows: it omits what nearly every definition has. */
import { applyMergePatch, type JsonObject } from '@flotilla/kube';

export interface ShortDefinition {
  readonly group?: string;
  readonly plural?: string;
  readonly kind?: string;
  /** The schema of every version that has no other. */
  readonly schema?: JsonObject;
  /** Merged into the only version. */
  readonly version?: JsonObject;
  /** Each is merged into the default version; the first one is stored. */
  readonly versions?: readonly JsonObject[];
  /** Merged into the definition; `null` removes a field. */
  readonly with?: JsonObject;
}

export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export function definitionOf(short: ShortDefinition): JsonObject {
  const { group = 'proof.example.com', plural = 'ships', kind = 'Ship', schema = { type: 'object' } } = short;
  const versions = (short.versions ?? [short.version ?? {}]).map((version, index) =>
    applyMergePatch(
      { name: `v${index + 1}`, served: true, storage: index === 0, schema: { openAPIV3Schema: schema } },
      version,
    ),
  );
  const definition: JsonObject = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind }, versions },
  };
  return applyMergePatch(definition, short.with ?? {}) as JsonObject;
}
