/** What overrides can select among the resources of a placement. */
import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import { envelopeOf, type EnvelopeType } from '../family/envelope.ts';
import {
  identityOf,
  identityText,
  namespaceIdentity,
  type IsClusterScoped,
  type ResourceIdentity,
} from './resource-identity.ts';

/** An object that is placed, alone or in an envelope. */
export interface PlacedIdentity extends ResourceIdentity {
  readonly envelope?: { readonly type: EnvelopeType; readonly namespace: string };
}

/** The objects that these resources place. An envelope is not placed itself; contents that cannot be parsed are skipped. */
export function placedIdentities(resources: readonly JsonValue[]): PlacedIdentity[] {
  return resources.filter(isJsonObject).flatMap(placedBy);
}

function placedBy(resource: JsonObject): PlacedIdentity[] {
  const envelope = envelopeOf(resource);
  if (envelope === undefined) return [identityOf(resource)];
  const { type, namespace } = envelope;
  const contents = envelope.entries.flatMap((entry) =>
    entry.problem === undefined ? [identityOf(entry.manifest)] : [],
  );
  const placed = contents.map((identity) => ({
    ...identity,
    // A manifest in a ConfigMap need not repeat the namespace.
    namespace: type === 'ConfigMap' && identity.namespace === '' ? namespace : identity.namespace,
    envelope: { type, namespace },
  }));
  // Overrides of its namespace apply to all contents, so the namespace is selected even if there are none.
  return type === 'ClusterResourceEnvelope' ? placed : [namespaceOnly(namespace), ...placed];
}

/** Stands for the namespace of an envelope. No override can select an object without kind. */
function namespaceOnly(namespace: string): PlacedIdentity {
  return { group: '', version: '', kind: '', namespace, name: '' };
}

/** Keys of `identityText`. */
export interface Candidates {
  /** For ClusterResourceOverrides. */
  readonly cluster: ReadonlySet<string>;
  /** For ResourceOverrides. */
  readonly namespaced: ReadonlySet<string>;
}

/** A namespaced object can be selected by itself or by its namespace, a cluster-scoped one by itself. */
export function candidatesAmong(placed: Iterable<PlacedIdentity>, isClusterScoped: IsClusterScoped): Candidates {
  const cluster = new Set<string>();
  const namespaced = new Set<string>();
  for (const identity of placed) {
    const isWide = identity.kind !== '' && isClusterScoped(identity);
    if (!isAllowed(identity, isWide)) continue;
    if (isWide) {
      cluster.add(identityText({ ...identity, namespace: '' }));
    } else {
      cluster.add(identityText(namespaceIdentity(identity.namespace)));
      namespaced.add(identityText(identity));
    }
  }
  return { cluster, namespaced };
}

/** Contents that do not belong into their envelope are refused later, by the works controller. A setting may allow any in ConfigMaps. */
function isAllowed({ envelope, namespace }: PlacedIdentity, isWide: boolean): boolean {
  if (envelope === undefined) return true;
  if (isWide) return envelope.type !== 'ResourceEnvelope';
  return envelope.type !== 'ClusterResourceEnvelope' && namespace === envelope.namespace;
}
