/** What a RuntimeClass adds to the pods that name it. On by default, like the plugins in admission.ts. */
import { quote, type JsonObject } from '@flotilla/kube';
import type { PodFields, ResourceList, TolerationFields } from './pod-fields.ts';
import { putSorted } from './sorted-map.ts';
import { semanticEqual } from './semantic-equal.ts';

/** A RuntimeClass, as far as pods care. */
export interface RuntimeClassFields extends JsonObject {
  overhead?: { podFixed?: ResourceList };
  scheduling?: { nodeSelector?: Record<string, string>; tolerations?: TolerationFields[] };
}

/** Fills in a new pod. The answer is why the pod is forbidden, if it is. */
export function applyRuntimeClass(
  pod: PodFields,
  named: (name: string) => RuntimeClassFields | undefined,
): string | undefined {
  const { runtimeClassName } = pod.spec;
  const found = runtimeClassName === undefined ? undefined : named(runtimeClassName);
  if (runtimeClassName !== undefined && found === undefined) {
    return `pod rejected: RuntimeClass ${quote(runtimeClassName)} not found`;
  }
  return setOverhead(pod, found) ?? setScheduling(pod, found);
}

function setOverhead({ spec }: PodFields, runtimeClass: RuntimeClassFields | undefined): string | undefined {
  const overhead = runtimeClass?.overhead;
  if (overhead === undefined) {
    const isAlone = spec.overhead !== undefined;
    return isAlone ? 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead' : undefined;
  }
  const { podFixed = {} } = overhead;
  if (spec.overhead !== undefined && !semanticEqual(spec.overhead, podFixed)) {
    return "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  }
  spec.overhead = { ...podFixed };
  return undefined;
}

function setScheduling({ spec }: PodFields, runtimeClass: RuntimeClassFields | undefined): string | undefined {
  const { nodeSelector = {}, tolerations = [] } = runtimeClass?.scheduling ?? {};
  const own = spec.nodeSelector ?? {};
  const conflict = Object.keys(nodeSelector).find((key) => Object.hasOwn(own, key) && own[key] !== nodeSelector[key]);
  if (conflict !== undefined) {
    const ofClass = `runtimeClass.scheduling.nodeSelector[${conflict}] = ${nodeSelector[conflict]}`;
    return `conflict: ${ofClass}; pod.spec.nodeSelector[${conflict}] = ${own[conflict]}`;
  }
  for (const [key, value] of Object.entries(nodeSelector)) putSorted((spec.nodeSelector ??= {}), key, value);
  for (const toleration of tolerations) {
    if (spec.tolerations?.some((one) => semanticEqual(one, toleration))) continue;
    (spec.tolerations ??= []).push(structuredClone(toleration));
  }
  return undefined;
}
