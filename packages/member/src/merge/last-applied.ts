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

/** Kubernetes' limit for all annotations of an object together. */
const maxAnnotationBytes = 262_144;

/** In UTF-8, of one unit of a string. */
const maxBytesOfCharacter = 3;

interface LastApplied {
  readonly object: KubeObject;
  /** False if the annotation is left empty because it would be too large. Then only server-side apply finds removed fields. */
  readonly isComplete: boolean;
}

/** Adds the annotation that the next three-way merge reads. `text` is that of the object. */
export function withLastApplied(object: KubeObject, text = goJson(object)): LastApplied {
  const annotated = withAnnotation(object, lastAppliedAnnotation, `${text}\n`);
  if (areAnnotationsStorable(annotated)) return { object: annotated, isComplete: true };
  return { object: withAnnotation(object, lastAppliedAnnotation, ''), isComplete: false };
}

/** The content of the last-applied annotation; empty without one. */
export function lastAppliedOf(live: KubeObject): JsonObject {
  const text = annotationsOf(live.metadata)?.[lastAppliedAnnotation] ?? '';
  if (text === '') return {};
  const value = parsed(text) ?? {};
  if (!isJsonObject(value)) throw notReadable();
  return value;
}

/** Parses with the fast parser, because agents print this JSON. A user's edit may lose the spelling of numbers. */
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

function areAnnotationsStorable({ metadata }: KubeObject): boolean {
  const annotations = metadata.annotations ?? {};
  let characters = 0;
  for (const key in annotations) characters += key.length + (annotations[key] ?? '').length;
  if (characters * maxBytesOfCharacter <= maxAnnotationBytes) return true;
  let bytes = 0;
  for (const key in annotations) bytes += byteLength(key) + byteLength(annotations[key] ?? '');
  return bytes <= maxAnnotationBytes;
}
