/** What of an object reaches the clusters. */
import {
  apiVersionOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Kind,
  type KubeObject,
} from '@flotilla/kube';

/** Set by the hub's server, or meaningless elsewhere. */
const hubMetadata = [
  'resourceVersion',
  'generation',
  'uid',
  'selfLink',
  'deletionTimestamp',
  'managedFields',
  'ownerReferences',
  'creationTimestamp',
];

const hubAnnotations = ['kubectl.kubernetes.io/last-applied-configuration', 'deployment.kubernetes.io/revision'];

/** Set by the server for the selector of a Job that has none of its own. */
const jobLabels = ['controller-uid', 'batch.kubernetes.io/controller-uid'];

/** The object as clusters get it. Shares its unchanged parts with the object. */
export function contentOf(kind: Kind, object: Readonly<KubeObject>): JsonObject {
  const apiVersion = apiVersionOf(kind);
  const content: JsonObject = {
    ...without(object, ['status']),
    apiVersion,
    kind: kind.kind,
    metadata: metadataOf(object.metadata),
  };
  if (apiVersion === 'v1' && kind.kind === 'Service') return updated(content, 'spec', serviceSpec);
  if (apiVersion === 'batch/v1' && kind.kind === 'Job') return updated(content, 'spec', jobSpec);
  return content;
}

function metadataOf(metadata: JsonObject): JsonObject {
  const kept = without(metadata, hubMetadata);
  const { annotations } = kept;
  if (!isJsonObject(annotations)) return kept;
  const others = without(annotations, hubAnnotations);
  return isEmpty(others) ? without(kept, ['annotations']) : { ...kept, annotations: others };
}

/** The hub's addresses and ports. A Service without an address has none on the clusters either. */
function serviceSpec(spec: JsonObject): JsonObject {
  const { clusterIP } = spec;
  const hasAddress = typeof clusterIP === 'string' && clusterIP !== 'None';
  const kept = without(spec, ['healthCheckNodePort', ...(hasAddress ? ['clusterIP', 'clusterIPs'] : [])]);
  const { ports } = kept;
  if (!Array.isArray(ports)) return kept;
  return { ...kept, ports: ports.map((port) => (isJsonObject(port) ? without(port, ['nodePort']) : port)) };
}

function jobSpec(spec: JsonObject): JsonObject {
  if (spec['manualSelector'] === true) return spec;
  const selecting = updated(spec, 'selector', (selector) => updated(selector, 'matchLabels', withoutJobLabels));
  return updated(selecting, 'template', (template) =>
    updated(template, 'metadata', (metadata) =>
      updated(without(metadata, ['creationTimestamp']), 'labels', withoutJobLabels),
    ),
  );
}

function withoutJobLabels(labels: JsonObject): JsonObject {
  return without(labels, jobLabels);
}

/** Replaces a member that is an object; others stay. */
function updated(object: JsonObject, key: string, update: (value: JsonObject) => JsonObject): JsonObject {
  const value: JsonValue | undefined = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(value) ? { ...object, [key]: update(value) } : object;
}

function without(object: Readonly<JsonObject>, keys: readonly string[]): JsonObject {
  // A spread keeps an own `__proto__` as what it is.
  const kept = { ...object };
  for (const key of keys) delete kept[key];
  return kept;
}

function isEmpty(object: JsonObject): boolean {
  for (const _ in object) return false;
  return true;
}
