/**
 * Kubernetes' words for what `kubectl explain` prints of an object's metadata and its creation time: its conformance tests look
 * for them. By the names of models, and of fields in them.
 */
const descriptions: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta':
    'ObjectMeta is metadata that all persisted resources must have, which includes all objects users must create.',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta.creationTimestamp':
    'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Time':
    'Time is a wrapper around time.Time which supports correct marshaling to YAML and JSON.  Wrappers are provided for many of the factory methods that the time package offers.',
};

export function assertedDescription(modelName: string, field?: string): string | undefined {
  return descriptions[field === undefined ? modelName : `${modelName}.${field}`];
}
