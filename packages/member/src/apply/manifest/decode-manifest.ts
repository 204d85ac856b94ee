/** Validates a manifest of a Work, which may be any JSON. The rest of the code relies on the shape of what passes. */
import { isJsonObject, type GroupVersionKind, type JsonObject, type JsonValue, type KubeObject } from '@flotilla/kube';
import type { ManifestHeader } from './identifier.ts';
import type { Refusal } from './outcome.ts';

export type Decoded =
  | { readonly object: KubeObject; readonly gvk: GroupVersionKind; readonly header: ManifestHeader }
  | { readonly refusal: Refusal; readonly problem: string; readonly header: ManifestHeader };

/** Schemas of CustomResourceDefinitions are the deepest real objects, and stay far below this. */
const maxDepth = 500;

export function decodeManifest(value: JsonValue | undefined): Decoded {
  if (!isJsonObject(value)) return undecodable('the manifest is not an object');
  const gvk = gvkOf(value);
  if (typeof gvk === 'string') return undecodable(gvk);
  const { metadata } = value;
  const fields = isJsonObject(metadata) ? metadata : {};
  const header = { gvk, namespace: textIn(fields, 'namespace'), name: textIn(fields, 'name') };
  const problem = problemOfMetadata(metadata) ?? problemOfDepth(value);
  if (problem !== undefined) return undecodable(problem, header);
  if (header.name === '' && textIn(fields, 'generateName') !== '') {
    const message =
      'the manifest has generateName instead of name, so the agent could not find its object again; set metadata.name';
    return { refusal: 'FoundGenerateName', problem: message, header };
  }
  const object = (metadata === undefined ? { ...value, metadata: {} } : value) as KubeObject;
  return { object, gvk, header };
}

function undecodable(problem: string, header: ManifestHeader = {}): Decoded {
  return { refusal: 'DecodingErred', problem, header };
}

/** Returns a problem as text if kind or apiVersion is missing or invalid. */
function gvkOf({ apiVersion, kind }: JsonObject): GroupVersionKind | string {
  if (typeof kind !== 'string' || kind === '') return 'the manifest has no kind';
  if (typeof apiVersion !== 'string' || apiVersion === '') return `the manifest of a ${kind} has no apiVersion`;
  const parts = apiVersion.split('/');
  const [group, version] = parts.length === 1 ? ['', parts[0]] : parts;
  if (parts.length > 2 || !group === (parts.length === 2) || !version) {
    return `the apiVersion ${JSON.stringify(apiVersion)} of the manifest is neither VERSION nor GROUP/VERSION`;
  }
  return { group: group ?? '', version, kind };
}

function problemOfMetadata(metadata: JsonValue | undefined): string | undefined {
  if (metadata === undefined) return undefined;
  if (!isJsonObject(metadata)) return 'metadata is not an object';
  const wrong = Object.entries(shapes).find(([field, fits]) => {
    const value = Object.hasOwn(metadata, field) ? metadata[field] : undefined;
    return value !== undefined && value !== null && !fits(value);
  });
  return wrong && `metadata.${wrong[0]} has the wrong type`;
}

type Shape = (value: JsonValue) => boolean;

const isText: Shape = (value) => typeof value === 'string';
const isTexts: Shape = (value) => isJsonObject(value) && Object.values(value).every((each) => typeof each === 'string');
const isOwner: Shape = (value) =>
  isJsonObject(value) && ['apiVersion', 'kind', 'name', 'uid'].every((field) => typeof value[field] === 'string');

/** The fields that the agent reads; the member's API server validates the rest. */
const shapes: Readonly<Record<string, Shape>> = {
  name: isText,
  namespace: isText,
  generateName: isText,
  labels: isTexts,
  annotations: isTexts,
  finalizers: (value) => Array.isArray(value) && value.every(isText),
  ownerReferences: (value) => Array.isArray(value) && value.every(isOwner),
};

function textIn(object: JsonObject, field: string): string {
  const value = Object.hasOwn(object, field) ? object[field] : undefined;
  return typeof value === 'string' ? value : '';
}

function problemOfDepth(value: JsonObject): string | undefined {
  return isDeeperThan(value, maxDepth) ? `the manifest is nested more than ${maxDepth} levels deep` : undefined;
}

/** The limit keeps the recursion from exhausting the stack. */
function isDeeperThan(value: JsonObject | readonly JsonValue[], levels: number): boolean {
  if (levels < 0) return true;
  return Object.values(value).some((child) => isContainer(child) && isDeeperThan(child, levels - 1));
}

function isContainer(value: JsonValue | undefined): value is JsonObject | JsonValue[] {
  return Array.isArray(value) || isJsonObject(value);
}
