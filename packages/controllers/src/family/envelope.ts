/** Envelopes: selected objects whose contents are placed instead of themselves. */
import { clusterResourceEnvelopes, envelopeConfigMapAnnotation, placementApi, resourceEnvelopes } from '@flotilla/api';
import { isJsonObject, parseYaml, textOf, type JsonObject, type JsonValue } from '@flotilla/kube';

/** `ConfigMap` is for ConfigMaps that an annotation marks as envelopes. */
export type EnvelopeType = 'ClusterResourceEnvelope' | 'ResourceEnvelope' | 'ConfigMap';

export interface Envelope {
  readonly type: EnvelopeType;
  /** Empty for a ClusterResourceEnvelope. */
  readonly namespace: string;
  readonly name: string;
  /** In the order of their keys. */
  readonly entries: readonly EnvelopeEntry[];
}

/** One manifest of an envelope, or why its text is none. */
export type EnvelopeEntry =
  | { readonly key: string; readonly manifest: JsonObject; readonly problem?: undefined }
  | { readonly key: string; readonly problem: string };

/** The contents of a selected object if it is an envelope of any version, else undefined. */
export function envelopeOf(resource: JsonObject): Envelope | undefined {
  const type = envelopeTypeOf(resource);
  if (type === undefined) return undefined;
  const metadata = objectAt(resource, 'metadata');
  const data = objectAt(resource, 'data');
  const keys = Object.keys(data).sort();
  return {
    type,
    namespace: type === 'ClusterResourceEnvelope' ? '' : textOf(metadata['namespace']),
    name: textOf(metadata['name']),
    entries: keys.map((key) => entryFrom(key, data[key])),
  };
}

/** Undefined for an object that is placed itself. */
export function envelopeTypeOf(resource: JsonObject): EnvelopeType | undefined {
  const kind = Object.hasOwn(resource, 'kind') ? resource['kind'] : undefined;
  const apiVersion = Object.hasOwn(resource, 'apiVersion') ? textOf(resource['apiVersion']) : '';
  if (kind === 'ConfigMap' && apiVersion === 'v1')
    return isMarked(resource) && hasManifests(resource) ? 'ConfigMap' : undefined;
  if (!apiVersion.startsWith(`${placementApi.group}/`)) return undefined;
  if (kind === clusterResourceEnvelopes.kind) return 'ClusterResourceEnvelope';
  return kind === resourceEnvelopes.kind ? 'ResourceEnvelope' : undefined;
}

function isMarked(configMap: JsonObject): boolean {
  const annotations = objectAt(objectAt(configMap, 'metadata'), 'annotations');
  return Object.hasOwn(annotations, envelopeConfigMapAnnotation) && annotations[envelopeConfigMapAnnotation] !== '';
}

/**
 * KubeFleet places marked ConfigMaps as they are. So does this for those that were never meant as envelopes. Every manifest has the
 * word; one that has it and cannot be parsed is reported.
 */
function hasManifests(configMap: JsonObject): boolean {
  return Object.values(objectAt(configMap, 'data')).some((text) => typeof text === 'string' && text.includes('kind'));
}

function entryFrom(key: string, value: JsonValue | undefined): EnvelopeEntry {
  try {
    const manifest = typeof value === 'string' ? parseYaml(value).value : value;
    if (!isJsonObject(manifest)) return { key, problem: 'it is not an object' };
    return { key, manifest };
  } catch (error) {
    return { key, problem: error instanceof Error ? error.message : String(error) };
  }
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(value) ? value : {};
}
