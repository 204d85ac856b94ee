/** The annotation of client-side apply, for objects that migrate to server-side apply. */
import { byteLength } from '../go/format.ts';
import { goJson } from '../json/go-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { compareTyped } from './compare.ts';
import { difference, emptySet, type FieldSet } from './field-set.ts';
import { mapIn, type MergeType } from './merge-type.ts';
import { SchemaError } from './schema-error.ts';
import { toFieldSet } from './to-field-set.ts';
import type { TypedObject } from './typed-object.ts';
import { validateTyped } from './validate-typed.ts';

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

const maxAnnotationsBytes = 256 * 1024;

/** Fields that client-side apply set and that did not change since. Taking them is no conflict. */
export function fieldsOfLastApplied(live: TypedObject): FieldSet {
  const last = parsedAnnotation(live.value);
  if (last === undefined || last['apiVersion'] !== live.apiVersion) return emptySet;
  if (!isTyped(live.type, live.value) || !isTyped(live.type, last)) return emptySet;
  const { modified, added, removed } = compareTyped(live.type, last, live.value);
  return [modified, added, removed].reduce(difference, toFieldSet(live.type, last));
}

/** Updates an existing annotation, or removes it if the annotations would become too large. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  if (annotationOf(object) === undefined) return object;
  const annotations: JsonObject = { ...annotationsOf(object), [lastAppliedAnnotation]: lastAppliedText(config) };
  if (sizeOf(annotations) > maxAnnotationsBytes) delete annotations[lastAppliedAnnotation];
  return { ...object, metadata: { ...metadataOf(object), annotations } };
}

function isTyped(type: MergeType, value: JsonObject): boolean {
  try {
    validateTyped(type, value, { allowDuplicates: false });
    return true;
  } catch (error) {
    if (error instanceof SchemaError) return false;
    throw error;
  }
}

function lastAppliedText(config: JsonObject): string {
  const { [lastAppliedAnnotation]: _, ...annotations } = annotationsOf(config) ?? {};
  const metadata = annotationsOf(config) === undefined ? metadataOf(config) : { ...metadataOf(config), annotations };
  return `${goJson({ ...config, metadata })}\n`;
}

function parsedAnnotation(object: JsonObject): JsonObject | undefined {
  try {
    const parsed = JSON.parse(annotationOf(object) ?? 'null') as JsonValue;
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function annotationOf(object: JsonObject): string | undefined {
  const text = annotationsOf(object)?.[lastAppliedAnnotation];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const annotations = metadataOf(object)['annotations'];
  return isJsonObject(annotations) ? annotations : undefined;
}

function metadataOf(object: JsonObject): JsonObject {
  return mapIn(object['metadata']);
}

function sizeOf(annotations: JsonObject): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    bytes += byteLength(key) + (typeof value === 'string' ? byteLength(value) : 0);
  }
  return bytes;
}
