/** What a RuntimeClass adds to its pods. On by default, like the plugins in admission.ts. */
import { copyJson, quote, type JsonObject } from '@flotilla/kube';
import { mergeTolerations } from './merge-tolerations.ts';
import type { PodFields, ResourceList, TolerationFields } from '../pod-fields.ts';
import { putAllSorted } from '../../sorted-map.ts';
import { semanticEqual } from '../../semantic-equal.ts';

export interface RuntimeClassFields extends JsonObject {
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: TolerationFields[] };
}

type FindRuntimeClass = (name: string) => RuntimeClassFields | undefined;

/** Sets fields of a new pod. Returns the reason if the pod is forbidden. */
export function applyRuntimeClass(pod: PodFields, named: FindRuntimeClass): string | undefined {
  const { runtimeClassName } = pod.spec;
  if (runtimeClassName === undefined) return undefined;
  const runtimeClass = named(runtimeClassName);
  if (runtimeClass === undefined) return `pod rejected: RuntimeClass ${quote(runtimeClassName)} not found`;
  return setOverhead(pod, runtimeClass) ?? setScheduling(pod, runtimeClass);
}

/**
 * Runs after validation: only a RuntimeClass may set the overhead of a pod. Returns the reason if the pod is forbidden.
 */
export function overheadRefusal({ spec }: PodFields, named: FindRuntimeClass): string | undefined {
  const { runtimeClassName, overhead } = spec;
  const ofClass = runtimeClassName === undefined ? undefined : named(runtimeClassName)?.overhead;
  if (ofClass !== undefined) return semanticEqual(overhead, ofClass.podFixed ?? {}) ? undefined : differentOverhead;
  return overhead === undefined
    ? undefined
    : 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
}

const differentOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function setOverhead({ spec }: PodFields, { overhead }: RuntimeClassFields): string | undefined {
  if (overhead === undefined) return undefined;
  const { podFixed = {} } = overhead;
  if (spec.overhead !== undefined && !semanticEqual(spec.overhead, podFixed)) return differentOverhead;
  spec.overhead = { ...podFixed };
  return undefined;
}

function setScheduling({ spec }: PodFields, { scheduling }: RuntimeClassFields): string | undefined {
  if (scheduling === undefined) return undefined;
  const { nodeSelector = {}, tolerations = [] } = scheduling;
  const own = spec.nodeSelector ?? {};
  const conflict = Object.keys(nodeSelector).find((key) => Object.hasOwn(own, key) && own[key] !== nodeSelector[key]);
  if (conflict !== undefined) {
    const ofClass = `runtimeClass.scheduling.nodeSelector[${conflict}] = ${nodeSelector[conflict]}`;
    return `conflict: ${ofClass}; pod.spec.nodeSelector[${conflict}] = ${own[conflict]}`;
  }
  const added = Object.entries(nodeSelector);
  if (added.length > 0) putAllSorted((spec.nodeSelector ??= {}), added);
  const merged = mergeTolerations(spec.tolerations ?? [], copyJson(tolerations) as TolerationFields[]);
  if (merged.length > 0) spec.tolerations = merged;
  return undefined;
}
