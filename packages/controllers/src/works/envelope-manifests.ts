/** The manifests in an envelope, or why they do not belong there. */
import { isJsonObject, textOf, type JsonObject, type JsonValue } from '@flotilla/kube';
import type { Envelope } from '../family/envelope.ts';
import type { Result } from '../overrides/overridden-manifest.ts';
import { identityOf, type IsClusterScoped, type ResourceIdentity } from '../overrides/resource-identity.ts';

export interface EnvelopeRules {
  readonly isClusterScoped: IsClusterScoped;
  /** Whether a ConfigMap may contain cluster-scoped objects. Then users of one namespace can change whole members. */
  readonly clusterScopedInConfigMaps: boolean;
}

export function manifestsIn(envelope: Envelope, rules: EnvelopeRules): Result<readonly JsonObject[]> {
  const manifests: JsonObject[] = [];
  for (const entry of envelope.entries) {
    const problem = entry.problem ?? kindProblem(entry.manifest);
    if (entry.problem !== undefined || problem !== undefined)
      return { problem: unreadable(entry.key, envelope, problem) };
    const identity = identityOf(entry.manifest);
    const misplaced = misplacement(entry.key, identity, envelope, rules);
    if (misplaced !== undefined) return { problem: misplaced };
    const isBare = envelope.type === 'ConfigMap' && identity.namespace === '' && !rules.isClusterScoped(identity);
    manifests.push(isBare ? withNamespace(entry.manifest, envelope.namespace) : entry.manifest);
  }
  return { value: manifests };
}

function kindProblem(manifest: JsonObject): string | undefined {
  const kind = Object.hasOwn(manifest, 'kind') ? textOf(manifest['kind']) : '';
  return kind === '' ? "Object 'Kind' is missing" : undefined;
}

function unreadable(key: string, envelope: Envelope, problem: string | undefined): string {
  return (
    'failed to parse the wrapped manifest data to a Kubernetes runtime object ' +
    `(manifestKey=${key},envelopeObjRef=${referenceTo(envelope)}): ${problem}`
  );
}

function misplacement(
  key: string,
  identity: ResourceIdentity,
  envelope: Envelope,
  rules: EnvelopeRules,
): string | undefined {
  const what = `${key} (${referenceTo(identity)})`;
  const where = referenceTo(envelope);
  switch (envelope.type) {
    case 'ClusterResourceEnvelope':
      if (identity.namespace === '') return undefined;
      return `a namespaced object ${what} has been wrapped in a cluster resource envelope ${where}`;
    case 'ResourceEnvelope':
      if (identity.namespace === '')
        return `a cluster scope object ${what} has been wrapped in a resource envelope ${where}`;
      if (identity.namespace === envelope.namespace) return undefined;
      return `a namespaced object ${what} in has been wrapped in a resource envelope from another namespace (${where})`;
    case 'ConfigMap':
      if (rules.isClusterScoped(identity)) {
        if (rules.clusterScopedInConfigMaps) return undefined;
        return (
          `a cluster scope object ${what} has been wrapped in a ConfigMap envelope ${where}, which may only contain ` +
          'objects of its namespace; use a ClusterResourceEnvelope for it'
        );
      }
      if (identity.namespace === '' || identity.namespace === envelope.namespace) return undefined;
      return `a namespaced object ${what} has been wrapped in a ConfigMap envelope from another namespace (${where})`;
  }
}

/** The manifests of a ConfigMap need not repeat its namespace. */
function withNamespace(manifest: JsonObject, namespace: string): JsonObject {
  const metadata: JsonValue | undefined = Object.hasOwn(manifest, 'metadata') ? manifest['metadata'] : undefined;
  return { ...manifest, metadata: { ...(isJsonObject(metadata) ? metadata : {}), namespace } };
}

/** As Go prints a reference: without a slash if there is no namespace. */
export function referenceTo({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
