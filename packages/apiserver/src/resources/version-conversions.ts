import { autoscalerToV1, autoscalerToV2, toCoreEvent, toEventsEvent, type ServedResource } from '@flotilla/builtins';
import { apiVersionOf, type GroupVersionKind, type JsonObject, type KubeObject } from '@flotilla/kube';
import { builtinCodec, splitApiVersion } from './builtin-resource.ts';
import { decodeStored } from './object-bytes.ts';
import type { StoredForm, ToVersion } from './resource.ts';

type Convert = (object: KubeObject) => KubeObject;

interface Pair {
  readonly kind: string;
  readonly stored: string;
  readonly other: string;
  readonly toStored: Convert;
  readonly toOther: Convert;
}

/** Built-in kinds with two served versions, of which one is stored. */
const pairs: readonly Pair[] = [
  {
    kind: 'Event',
    stored: 'v1',
    other: 'events.k8s.io/v1',
    toStored: toCoreEvent,
    toOther: toEventsEvent,
  },
  {
    kind: 'HorizontalPodAutoscaler',
    stored: 'autoscaling/v2',
    other: 'autoscaling/v1',
    toStored: autoscalerToV2,
    toOther: autoscalerToV1,
  },
];

/** Undefined for the stored version. */
export function storedFormOf(served: ServedResource): StoredForm | undefined {
  const pair = pairs.find(({ kind, other }) => kind === served.kind && other === apiVersionOf(served));
  if (!pair) return undefined;
  const stored = builtinCodec({ ...splitApiVersion(pair.stored), kind: pair.kind });
  const other = builtinCodec(served);
  return {
    key: apiVersionOf(served),
    isServedAsStored: () => false,
    read: (entries) => entries.map(({ bytes }) => other.inWireOrder(pair.toOther(decodeStored(bytes)))),
    write: (object) => stored.inWireOrder(pair.toStored(object)),
  };
}

/** The other version of the kind, if it has one. */
export function otherVersionOf(served: ServedResource): GroupVersionKind | undefined {
  const apiVersion = apiVersionOf(served);
  const pair = pairOf(served);
  return pair && { ...splitApiVersion(apiVersion === pair.stored ? pair.other : pair.stored), kind: pair.kind };
}

/** Converts between the versions of a kind; undefined for a kind with only one. */
export function versionsOf(served: ServedResource): ToVersion | undefined {
  const pair = pairOf(served);
  return pair && ((object, apiVersion) => converted(pair, object as KubeObject, apiVersion));
}

function pairOf(served: ServedResource): Pair | undefined {
  const apiVersion = apiVersionOf(served);
  return pairs.find(({ kind, stored, other }) => kind === served.kind && [stored, other].includes(apiVersion));
}

function converted(pair: Pair, object: KubeObject, apiVersion: string): JsonObject | undefined {
  if (object.apiVersion === apiVersion) return object;
  if (apiVersion === pair.stored) return pair.toStored(object);
  return apiVersion === pair.other ? pair.toOther(object) : undefined;
}
