import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';

/** Fields of metadata that are the server's, or equal on both sides by the way the object was found. */
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

/** Lists of metadata that count as empty on both sides. They stay, since the hash of a manifest sees them. */
const emptiedMetadata = { finalizers: [], managedFields: [], ownerReferences: [] };

/** Labels and annotations under these domains belong to Kubernetes or to the fleet. */
const reservedDomains = ['kubernetes.io/', 'k8s.io/', 'kubernetes-fleet.io/'];

const templateTimes = [
  ['spec', 'template', 'metadata', 'creationTimestamp'],
  ['spec', 'jobTemplate', 'spec', 'template', 'metadata', 'creationTimestamp'],
];

/** What counts when an object of the hub meets one of the member, and what a manifest's hash is made of. */
export function comparableOf(object: JsonObject): JsonObject {
  const { status: _, metadata = {}, ...others } = object;
  const content = isJsonObject(metadata)
    ? { ...others, metadata: comparableMetadata(metadata) }
    : { ...others, metadata };
  return templateTimes.reduce(withoutField, content);
}

function comparableMetadata(metadata: JsonObject): JsonObject {
  const kept = Object.entries(metadata).filter(([name]) => !ignoredMetadata.has(name));
  return {
    ...Object.fromEntries(kept),
    ...emptiedMetadata,
    annotations: withoutReserved(metadata['annotations']),
    labels: withoutReserved(metadata['labels']),
  };
}

/** A map that holds anything but texts counts as empty: no server would have taken it. */
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
