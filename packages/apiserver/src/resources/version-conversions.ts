import { autoscalerToV1, autoscalerToV2, toCoreEvent, toEventsEvent, type ServedResource } from '@flotilla/builtins';
import { apiVersionOf, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { ToVersion, VersionConversion } from './resource.ts';

type Convert = (object: KubeObject) => KubeObject;

interface Pair {
  readonly kind: string;
  readonly stored: string;
  readonly other: string;
  readonly toStored: Convert;
  readonly toOther: Convert;
}

/** The built-in kinds that are served in two versions, each stored in one. */
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

/** Undefined for a version that is stored as it is. */
export function conversionOf(served: ServedResource): VersionConversion | undefined {
  const pair = pairs.find(({ kind, other }) => kind === served.kind && other === apiVersionOf(served));
  if (!pair) return undefined;
  return { toStorage: pair.toStored, fromStorage: pair.toOther };
}

/** Between any two versions of a kind; undefined for a kind that has only one. */
export function versionsOf(served: ServedResource): ToVersion | undefined {
  const pair = pairs.find(
    ({ kind, stored, other }) => kind === served.kind && [stored, other].includes(apiVersionOf(served)),
  );
  return pair && ((object, apiVersion) => converted(pair, object as KubeObject, apiVersion));
}

function converted(pair: Pair, object: KubeObject, apiVersion: string): JsonObject | undefined {
  if (object.apiVersion === apiVersion) return object;
  if (apiVersion === pair.stored) return pair.toStored(object);
  return apiVersion === pair.other ? pair.toOther(object) : undefined;
}
