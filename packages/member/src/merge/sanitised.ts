import { lastAppliedAnnotation, specHashAnnotation } from '@flotilla/api';
import type { JsonObject, KubeObject, ObjectMeta } from '@flotilla/kube';
import { annotationsOf } from './annotations-of.ts';

/** What a manifest says of its past life in another cluster, and what is not its author's to say. */
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

/** A manifest as it may be sent to a member. Finalizers stay, and so does all of the spec: envelopes are taken as written. */
export function sanitised(manifest: KubeObject): KubeObject {
  const { status: _, ...content } = manifest;
  return { ...content, metadata: sanitisedMetadata(manifest.metadata) };
}

function sanitisedMetadata(metadata: ObjectMeta): ObjectMeta {
  const kept: JsonObject = Object.fromEntries(Object.entries(metadata).filter(([name]) => !droppedMetadata.has(name)));
  const annotations = annotationsOf(metadata);
  if (annotations === undefined) return kept;
  const ours = Object.entries(annotations).filter(([key]) => !droppedAnnotations.has(key));
  if (ours.length > 0) return { ...kept, annotations: Object.fromEntries(ours) };
  delete kept['annotations'];
  return kept;
}
