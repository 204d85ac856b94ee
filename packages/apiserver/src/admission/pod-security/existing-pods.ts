import type { PodFields } from '@flotilla/builtins';
import { compareBytes, quote } from '@flotilla/kube';
import type { AdmissionDependencies } from '../admission.ts';
import { storedObjects } from '../stored-objects.ts';
import { formatReasons, violationsOf } from './evaluate.ts';
import { formatStandard, type Standard } from './policy.ts';

const maxPods = 3000;

/** Warnings about the pods of a namespace that violate the standard. */
export async function existingPodWarnings(
  server: AdmissionDependencies,
  namespace: string,
  standard: Standard,
): Promise<string[]> {
  const { turns } = server;
  const byReasons = new Map<string, string[]>();
  const { pods, total } = await chosenPods(server, namespace);
  for (const pod of pods) {
    if (turns.isOver()) await turns.next();
    const reasons = formatReasons(violationsOf(standard, pod));
    if (reasons === '') continue;
    const names = byReasons.get(reasons);
    if (names) names.push(pod.metadata.name ?? '');
    else byReasons.set(reasons, [pod.metadata.name ?? '']);
  }
  const warnings: string[] = [];
  if (pods.length < total) {
    const checked = `${pods.length} of ${total}`;
    warnings.push(`new PodSecurity enforce level only checked against the first ${checked} existing pods`);
  }
  if (byReasons.size > 0) {
    const standardText = quote(formatStandard(standard));
    warnings.push(
      `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${standardText}`,
    );
  }
  const lines = [...byReasons].map(([reasons, names]) => `${formatPods(names)}: ${reasons}`);
  return [...warnings, ...lines.sort(compareBytes)];
}

/** Pods of one controller are alike: one of each comes first, in case there are more than the maximum. */
async function chosenPods(
  server: AdmissionDependencies,
  namespace: string,
): Promise<{ readonly pods: readonly PodFields[]; readonly total: number }> {
  const { turns } = server;
  const controllers = new Set<string>();
  const first: PodFields[] = [];
  const alike: PodFields[] = [];
  for (const object of storedObjects(server, 'pods', namespace)) {
    if (turns.isOver()) await turns.next();
    const controller = object.metadata.ownerReferences?.find((owner) => owner.controller === true)?.uid;
    (controller !== undefined && controllers.has(controller) ? alike : first).push(object as PodFields);
    if (controller !== undefined) controllers.add(controller);
  }
  return { pods: [...first, ...alike].slice(0, maxPods), total: first.length + alike.length };
}

function formatPods(names: readonly string[]): string {
  const first = [...names].sort(compareBytes)[0] ?? '';
  const others = names.length - 1;
  if (others === 0) return first;
  return `${first} (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
}
