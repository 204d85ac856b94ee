import type { Pod } from '../kinds.ts';
import { chance } from './chance.ts';
import { matchesImage } from './image-pattern.ts';
import {
  outcomeLabel,
  outcomes,
  type Outcome,
  type OutcomeRule,
  type PodDelays,
  type WorkloadBehaviour,
} from './workload-behaviour.ts';

/** What becomes of the pod's containers with this image. */
export function outcomeOf({ metadata }: Readonly<Pod>, image: string, behaviour: WorkloadBehaviour): Outcome {
  const { uid = '', labels = {} } = metadata;
  const labelled = outcomes.find((outcome) => ownLabel(labels, outcomeLabel) === outcome);
  if (labelled !== undefined) return labelled;
  const applies = ({ images, labels: wanted = {}, share = 1 }: OutcomeRule, index: number): boolean =>
    (images === undefined || images.some((pattern) => matchesImage(pattern, image))) &&
    Object.entries(wanted).every(([label, value]) => ownLabel(labels, label) === value) &&
    (share >= 1 || chance(behaviour.seed, `${uid}/${index}`) < share);
  return behaviour.rules.find(applies)?.outcome ?? behaviour.outcome;
}

function ownLabel(labels: Readonly<Record<string, string>>, label: string): string | undefined {
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
}

/** A delay of the pod, with its jitter. */
export function delayOf(
  { metadata }: Readonly<Pod>,
  name: Exclude<keyof PodDelays, 'jitter'>,
  { seed, delays }: WorkloadBehaviour,
): number {
  const delayMs = delays[name];
  if (delayMs <= 0 || delays.jitter <= 0) return Math.max(0, delayMs);
  return delayMs * (1 + delays.jitter * (2 * chance(seed, `${metadata.uid ?? ''}/${name}`) - 1));
}
