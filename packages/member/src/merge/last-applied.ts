import { lastAppliedAnnotation } from '@flotilla/api';
import {
  byteLength,
  goJson,
  isJsonObject,
  JsonError,
  parseStoredJson,
  PatchError,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { annotationsOf, withAnnotation } from './annotations-of.ts';

/** How much all annotations of an object may hold together, by Kubernetes' rule. */
const maxAnnotationBytes = 262_144;

interface LastApplied {
  readonly object: KubeObject;
  /** Whether the object remembers what is applied. If it has no room for that, only server-side apply can tell later what was dropped. */
  readonly isRemembered: boolean;
}

/** Lets the object say what is being applied, for the next three-way merge. */
export function withLastApplied(object: KubeObject): LastApplied {
  const remembering = withAnnotation(object, lastAppliedAnnotation, `${goJson(object)}\n`);
  if (annotationBytes(remembering) <= maxAnnotationBytes) return { object: remembering, isRemembered: true };
  return { object: withAnnotation(object, lastAppliedAnnotation, ''), isRemembered: false };
}

/** What was applied last, by the live object's word; nothing when it does not say. */
export function lastAppliedOf(live: KubeObject): JsonObject {
  const text = annotationsOf(live.metadata)?.[lastAppliedAnnotation] ?? '';
  if (text === '') return {};
  const value = parsed(text) ?? {};
  if (!isJsonObject(value)) throw notReadable();
  return value;
}

/** An agent printed it, ours or KubeFleet's. Whoever has changed it since loses no more than the spelling of numbers. */
function parsed(text: string): JsonValue {
  try {
    return parseStoredJson(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof JsonError) throw notReadable();
    throw error;
  }
}

function notReadable(): PatchError {
  return new PatchError('malformed', 'invalid JSON document');
}

function annotationBytes(object: KubeObject): number {
  const annotations = Object.entries(annotationsOf(object.metadata) ?? {});
  return annotations.reduce((total, [key, value]) => total + byteLength(key) + byteLength(value), 0);
}
