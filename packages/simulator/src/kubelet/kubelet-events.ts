/** Events as a kubelet records them: with its node, and the container that they are about. */
import type { PlannedEvent } from '@flotilla/runtime';
import type { Container } from '../kinds.ts';
import type { BoundPod } from './bound-pod.ts';
import type { ContainerEvent } from './container-run.ts';

export function containerEvent(
  bound: BoundPod,
  { name }: Readonly<Container>,
  event: ContainerEvent,
  isInit: boolean,
): PlannedEvent {
  return { ...eventAbout(bound, event), fieldPath: `spec.${isInit ? 'initContainers' : 'containers'}{${name}}` };
}

export function eventAbout({ pod, node }: BoundPod, event: ContainerEvent): PlannedEvent {
  return { about: pod, ...event, host: node.metadata.name ?? '' };
}
