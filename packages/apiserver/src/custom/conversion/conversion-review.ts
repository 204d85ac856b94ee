/** The request to a conversion webhook, and the checks of its response. */
import { aggregate, fieldErrorText, isJsonObject, textOf, validateAnnotations, validateLabels } from '@flotilla/kube';
import type { JsonObject, JsonValue, KubeObject } from '@flotilla/kube';

const knownVersions = ['v1', 'v1beta1'];

/** A webhook that does not convert. Clients see the message. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';
}

export function reviewVersionOf(offered: readonly string[]): string {
  const version = offered.find((candidate) => knownVersions.includes(candidate));
  if (version === undefined) throw new ConversionError('no supported conversion review versions');
  return version;
}

interface Request {
  readonly version: string;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: readonly KubeObject[];
}

export function conversionRequest({ version, uid, desiredApiVersion, objects }: Request): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion: desiredApiVersion, objects: [...objects] },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

/** The objects of a valid response. The caller adds to the error which webhook failed. */
export function convertedObjects(answer: JsonValue, { version, uid }: Request): JsonValue[] {
  const review = isJsonObject(answer) ? answer : {};
  const actual = `${textOf(review['apiVersion'])}, Kind=${textOf(review['kind'])}`;
  const expected = `apiextensions.k8s.io/${version}, Kind=ConversionReview`;
  // Kubernetes does not check these of the older review.
  const isStrict = version === 'v1';
  if (isStrict && actual !== expected)
    throw new ConversionError(`expected webhook response of ${expected}, got ${actual}`);
  const { response } = review;
  if (!isJsonObject(response)) throw new ConversionError('no response provided');
  if (isStrict && response['uid'] !== uid) {
    throw new ConversionError(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(textOf(response['uid']))}`,
    );
  }
  const result = isJsonObject(response['result']) ? response['result'] : {};
  if (result['status'] !== 'Success') {
    const message = textOf(result['message']);
    throw new ConversionError(message || `response.result.status was '${textOf(result['status'])}', not 'Success'`);
  }
  const { convertedObjects: objects } = response;
  return Array.isArray(objects) ? objects : [];
}

/** The converted object with the metadata of the original, except labels and annotations, which a webhook may change. */
export function checkedObject(original: KubeObject, converted: JsonValue, apiVersion: string): KubeObject {
  if (!isJsonObject(converted)) throw new ConversionError("Object 'Kind' is missing in 'null'");
  checkType(original, converted, apiVersion);
  const { metadata } = converted;
  const meta = isJsonObject(metadata) ? metadata : {};
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [before, after] = [textOf(original.metadata[field]), textOf(meta[field])];
    if (before !== after)
      throw new ConversionError(`invalid object: must have the same ${name}: ${before} != ${after}`);
  }
  return { ...converted, metadata: restoredMetadata(original, metadata) } as KubeObject;
}

function checkType(original: KubeObject, { apiVersion, kind }: JsonObject, expected: string): void {
  if (textOf(apiVersion) !== expected) {
    throw new ConversionError(
      `invalid object at index 0: invalid groupVersion (expected ${expected}, received ${textOf(apiVersion)})`,
    );
  }
  if (kind !== original.kind) {
    throw new ConversionError(
      `invalid object at index 0: invalid kind (expected ${original.kind}, received ${textOf(kind)})`,
    );
  }
}

function restoredMetadata(original: KubeObject, converted: JsonValue | undefined): KubeObject['metadata'] {
  if (converted === undefined) throw new ConversionError('invalid metadata: missing metadata in converted object');
  if (!isJsonObject(converted)) throw new ConversionError('invalid metadata: invalid metadata in converted object');
  const metadata = { ...original.metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const changed = converted[field];
    if (changed === undefined || changed === null) delete metadata[field];
    else metadata[field] = checkedTexts(field, changed);
  }
  return metadata;
}

function checkedTexts(field: 'labels' | 'annotations', value: JsonValue): Record<string, string> {
  if (!isJsonObject(value))
    throw new ConversionError(`invalid metadata: invalid metadata.${field} in converted object`);
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== 'string')
      throw new ConversionError(`invalid metadata: metadata.${field}[${key}] must be a string in converted object`);
  }
  const texts = value as Record<string, string>;
  const errors =
    field === 'labels' ? validateLabels(texts, 'metadata.labels') : validateAnnotations(texts, 'metadata.annotation');
  if (errors.length > 0) throw new ConversionError(`invalid metadata: ${aggregate(errors.map(fieldErrorText))}`);
  return texts;
}
