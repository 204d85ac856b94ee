import { lastAppliedAnnotation, specHashAnnotation } from '@flotilla/api';
import type { JsonObject, KubeObject, ObjectMeta } from '@flotilla/kube';
import { annotationsOf } from './annotations-of.ts';

/** Metadata that another cluster's server has set, or that only the agent may set. */
const droppedMetadata: ReadonlySet<string> = new Set([
  'ownerReferences',
  'managedFields',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'resourceVersion',
  'selfLink',
  'uid',
]);

const droppedAnnotations: ReadonlySet<string> = new Set([
  specHashAnnotation,
  lastAppliedAnnotation,
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
]);

/** A manifest without the fields that a member must not receive. Finalizers and spec stay unchanged. */
export function sanitised(manifest: KubeObject): KubeObject {
  const { status: _, ...content } = manifest;
  return { ...content, metadata: sanitisedMetadata(manifest.metadata) };
}

function sanitisedMetadata(metadata: ObjectMeta): ObjectMeta {
  const kept: JsonObject = Object.fromEntries(Object.entries(metadata).filter(([name]) => !droppedMetadata.has(name)));
  const annotations = annotationsOf(metadata);
  if (annotations === undefined) return kept;
  const entries = Object.entries(annotations).filter(([key]) => !droppedAnnotations.has(key));
  if (entries.length > 0) return { ...kept, annotations: Object.fromEntries(entries) };
  delete kept['annotations'];
  return kept;
}
