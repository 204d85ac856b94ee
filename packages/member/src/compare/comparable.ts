import { isJsonObject, setOwn, type JsonObject, type JsonValue } from '@flotilla/kube';

/** Metadata that the server sets, or that both sides share because the object is found by it. */
const ignoredMetadata: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'generateName',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
  'selfLink',
  'uid',
  'creationTimestamp',
]);

/** Labels and annotations under these domains belong to Kubernetes or to the fleet. */
const reservedDomains = ['kubernetes.io/', 'k8s.io/', 'kubernetes-fleet.io/'];

const templateTimes = [
  ['spec', 'template', 'metadata', 'creationTimestamp'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'creationTimestamp'],
];

/** The fields that comparisons and the hash of a manifest use. */
export function comparableOf(object: JsonObject): JsonObject {
  const { status: _, metadata = {}, ...others } = object;
  const content = isJsonObject(metadata)
    ? { ...others, metadata: comparableMetadata(metadata) }
    : { ...others, metadata };
  return templateTimes.reduce(withoutField, content);
}

function comparableMetadata(metadata: JsonObject): JsonObject {
  const comparable: JsonObject = {};
  for (const name of Object.keys(metadata)) {
    if (!ignoredMetadata.has(name)) setOwn(comparable, name, metadata[name] ?? null);
  }
  // KubeFleet's hash includes these lists, empty.
  comparable['finalizers'] = [];
  comparable['managedFields'] = [];
  comparable['ownerReferences'] = [];
  comparable['annotations'] = withoutReserved(metadata['annotations']);
  comparable['labels'] = withoutReserved(metadata['labels']);
  return comparable;
}

/** A map with a value that is not a string counts as empty: a server would refuse it. */
function withoutReserved(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value);
  if (entries.some(([, text]) => typeof text !== 'string' && text !== null)) return {};
  const kept = entries.filter(([key]) => !reservedDomains.some((domain) => key.includes(domain)));
  return Object.fromEntries(kept.map(([key, text]) => [key, text ?? '']));
}

function withoutField(object: JsonObject, path: readonly string[]): JsonObject {
  const [name = '', ...deeper] = path;
  if (!Object.hasOwn(object, name)) return object;
  if (deeper.length === 0) return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  const child = object[name];
  return isJsonObject(child) ? { ...object, [name]: withoutField(child, deeper) } : object;
}
